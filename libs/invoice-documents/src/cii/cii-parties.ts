import type { Address, InvoiceFormat, PartialBuyer } from '#invoice-rules/invoice.js';
import type { Seller, TaxCategory } from '#invoice-rules/invoice.js';
import { contactOf, endpointOf } from '#invoice-rules/profiles.js';
import { registrationOf, type Registration } from '../xml/registration.js';
import { group, text, textIf, type Markup } from '../xml/xml-markup.js';

type Party = Partial<Seller> | PartialBuyer;

/** BG-4, the seller. Of the category O no VAT identifier may be named (BR-O-02). */
export function sellerParty(
  seller: Partial<Seller>,
  category: TaxCategory,
  format: InvoiceFormat | undefined,
): Markup {
  const registration = registrationOf(seller, format);
  return group('ram:SellerTradeParty', party(seller, category, registration));
}

/** BG-7, the buyer. */
export function buyerParty(buyer: PartialBuyer, category: TaxCategory): Markup {
  return group('ram:BuyerTradeParty', party(buyer, category, undefined));
}

function party(
  whole: Party,
  category: TaxCategory,
  registration: Registration | undefined,
): (Markup | undefined)[] {
  const { name, address, vat_id } = whole;
  const endpoint = endpointOf(whole);
  return [
    textIf('ram:Name', name),
    registration &&
      group('ram:SpecifiedLegalOrganization', [
        text('ram:ID', registration.id, registration.attributes),
      ]),
    contact(whole),
    address && postalAddress(address),
    endpoint &&
      group('ram:URIUniversalCommunication', [
        text('ram:URIID', endpoint.id, { schemeID: endpoint.scheme }),
      ]),
    vat_id === undefined || category === 'O'
      ? undefined
      : group('ram:SpecifiedTaxRegistration', [text('ram:ID', vat_id, { schemeID: 'VA' })]),
  ];
}

function contact(whole: Party): Markup | undefined {
  const of = contactOf(whole);
  if (of === undefined) return undefined;
  const within = (name: string, element: string, value: string | undefined) =>
    value === undefined ? undefined : group(name, [text(element, value)]);
  return group('ram:DefinedTradeContact', [
    textIf('ram:PersonName', of.name),
    within('ram:TelephoneUniversalCommunication', 'ram:CompleteNumber', of.phone),
    within('ram:EmailURIUniversalCommunication', 'ram:URIID', of.email),
  ]);
}

function postalAddress({ line1, line2, city, postcode, region, country }: Address): Markup {
  return group('ram:PostalTradeAddress', [
    textIf('ram:PostcodeCode', postcode),
    textIf('ram:LineOne', line1),
    textIf('ram:LineTwo', line2),
    textIf('ram:CityName', city),
    text('ram:CountryID', country),
    textIf('ram:CountrySubDivisionName', region),
  ]);
}

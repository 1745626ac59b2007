import type { Address, PartialBuyer, Seller, TaxCategory } from '#billing/invoice.js';
import { EMAIL_SCHEME } from '../xml/e-invoice.js';
import { group, text, textIf, type Markup } from '../xml/xml-markup.js';

type Party = Partial<Seller> | PartialBuyer;

/** BG-4, the seller. Of the category O no VAT identifier may be named (BR-O-02). */
export function sellerParty(seller: Partial<Seller>, category: TaxCategory): Markup {
  return group('ram:SellerTradeParty', party(seller, category, seller.registration_id));
}

/** BG-7, the buyer. */
export function buyerParty(buyer: PartialBuyer, category: TaxCategory): Markup {
  return group('ram:BuyerTradeParty', party(buyer, category, undefined));
}

function party(
  { name, email, address, vat_id }: Party,
  category: TaxCategory,
  registrationId: string | undefined,
): (Markup | undefined)[] {
  return [
    textIf('ram:Name', name),
    registrationId === undefined
      ? undefined
      : group('ram:SpecifiedLegalOrganization', [text('ram:ID', registrationId)]),
    email === undefined ? undefined : contact(email),
    address && postalAddress(address),
    email === undefined
      ? undefined
      : group('ram:URIUniversalCommunication', [text('ram:URIID', email, EMAIL_SCHEME)]),
    vat_id === undefined || category === 'O'
      ? undefined
      : group('ram:SpecifiedTaxRegistration', [text('ram:ID', vat_id, { schemeID: 'VA' })]),
  ];
}

function contact(email: string): Markup {
  return group('ram:DefinedTradeContact', [
    group('ram:EmailURIUniversalCommunication', [text('ram:URIID', email)]),
  ]);
}

function postalAddress({ line1, line2, city, postcode, country }: Address): Markup {
  return group('ram:PostalTradeAddress', [
    textIf('ram:PostcodeCode', postcode),
    textIf('ram:LineOne', line1),
    textIf('ram:LineTwo', line2),
    textIf('ram:CityName', city),
    text('ram:CountryID', country),
  ]);
}

import type { Address, Buyer, InvoiceFormat } from '#invoice-rules/invoice.js';
import type { PartialBuyer, Seller, TaxCategory } from '#invoice-rules/invoice.js';
import { contactOf, endpointOf } from '#invoice-rules/profiles.js';
import { registrationOf, type Registration } from '../xml/registration.js';
import { group, text, textIf, type Markup } from '../xml/xml-markup.js';

type Party = Partial<Seller> | PartialBuyer;

/** BG-4, the seller. Of the category O no VAT identifier may be named (BR-O-02). */
export function supplierParty(
  seller: Partial<Seller>,
  category: TaxCategory,
  format: InvoiceFormat | undefined,
): Markup {
  const whole = party(seller, category, registrationOf(seller, format));
  return group('cac:AccountingSupplierParty', [whole]);
}

/** BG-7, the buyer. */
export function customerParty(buyer: PartialBuyer, category: TaxCategory): Markup {
  return group('cac:AccountingCustomerParty', [party(buyer, category, undefined)]);
}

function party(
  whole: Party,
  category: TaxCategory,
  registration: Registration | undefined,
): Markup {
  const { name, address } = whole;
  const endpoint = endpointOf(whole);
  return group('cac:Party', [
    endpoint && text('cbc:EndpointID', endpoint.id, { schemeID: endpoint.scheme }),
    address && postalAddress(address),
    category === 'O' ? undefined : taxScheme(whole.vat_id),
    group('cac:PartyLegalEntity', [
      textIf('cbc:RegistrationName', name),
      registration && text('cbc:CompanyID', registration.id, registration.attributes),
    ]),
    contact(whole),
  ]);
}

function contact(whole: Party): Markup | undefined {
  const of = contactOf(whole);
  return (
    of &&
    group('cac:Contact', [
      textIf('cbc:Name', of.name),
      textIf('cbc:Telephone', of.phone),
      textIf('cbc:ElectronicMail', of.email),
    ])
  );
}

function postalAddress({ line1, line2, city, postcode, region, country }: Address): Markup {
  return group('cac:PostalAddress', [
    textIf('cbc:StreetName', line1),
    textIf('cbc:AdditionalStreetName', line2),
    textIf('cbc:CityName', city),
    textIf('cbc:PostalZone', postcode),
    textIf('cbc:CountrySubentity', region),
    group('cac:Country', [text('cbc:IdentificationCode', country)]),
  ]);
}

function taxScheme(vatId: Buyer['vat_id']): Markup | undefined {
  if (vatId === undefined) return undefined;
  const scheme = group('cac:TaxScheme', [text('cbc:ID', 'VAT')]);
  return group('cac:PartyTaxScheme', [text('cbc:CompanyID', vatId), scheme]);
}

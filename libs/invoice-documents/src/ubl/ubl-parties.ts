import type { Address, Buyer, PartialBuyer, Seller, TaxCategory } from '#billing/invoice.js';
import { EMAIL_SCHEME } from '../xml/e-invoice.js';
import { group, text, textIf, type Markup } from '../xml/xml-markup.js';

type Party = Partial<Seller> | PartialBuyer;

/** BG-4, the seller. Of the category O no VAT identifier may be named (BR-O-02). */
export function supplierParty(seller: Partial<Seller>, category: TaxCategory): Markup {
  return group('cac:AccountingSupplierParty', [party(seller, category, seller.registration_id)]);
}

/** BG-7, the buyer. */
export function customerParty(buyer: PartialBuyer, category: TaxCategory): Markup {
  return group('cac:AccountingCustomerParty', [party(buyer, category, undefined)]);
}

function party(whole: Party, category: TaxCategory, registrationId: string | undefined): Markup {
  const { name, email, address } = whole;
  const legalName = textIf('cbc:RegistrationName', name);
  return group('cac:Party', [
    email === undefined ? undefined : text('cbc:EndpointID', email, EMAIL_SCHEME),
    address && postalAddress(address),
    category === 'O' ? undefined : taxScheme(whole.vat_id),
    group('cac:PartyLegalEntity', [legalName, textIf('cbc:CompanyID', registrationId)]),
    email === undefined ? undefined : group('cac:Contact', [text('cbc:ElectronicMail', email)]),
  ]);
}

function postalAddress({ line1, line2, city, postcode, country }: Address): Markup {
  return group('cac:PostalAddress', [
    textIf('cbc:StreetName', line1),
    textIf('cbc:AdditionalStreetName', line2),
    textIf('cbc:CityName', city),
    textIf('cbc:PostalZone', postcode),
    group('cac:Country', [text('cbc:IdentificationCode', country)]),
  ]);
}

function taxScheme(vatId: Buyer['vat_id']): Markup | undefined {
  if (vatId === undefined) return undefined;
  const scheme = group('cac:TaxScheme', [text('cbc:ID', 'VAT')]);
  return group('cac:PartyTaxScheme', [text('cbc:CompanyID', vatId), scheme]);
}

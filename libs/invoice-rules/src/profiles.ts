import type { Endpoint } from './electronic-addresses.js';
import type { Buyer, Contact, InvoiceFormat, PartialBuyer, Seller } from './invoice.js';

/** How an XML names what it follows. */
export interface Context {
  /** BT-24. */
  readonly customization: string;
  /** BT-23; null: it is not stated. */
  readonly process: string | null;
}

/** The specification that the XML of a format follows. */
export interface Profile {
  readonly ubl: Context;
  readonly cii: Context;
}

const EN_16931 = 'urn:cen.eu:en16931:2017';
const BILLING = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
const CORE: Context = { customization: EN_16931, process: null };
const XRECHNUNG: Context = {
  customization: `${EN_16931}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`,
  process: BILLING,
};
const PEPPOL: Context = {
  customization: `${EN_16931}#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0`,
  process: BILLING,
};
const PROFILES: Readonly<Record<InvoiceFormat, Profile>> = {
  en16931: { ubl: CORE, cii: CORE },
  'factur-x': { ubl: CORE, cii: CORE },
  // Peppol BIS is of UBL only.
  'peppol-bis-3': { ubl: PEPPOL, cii: CORE },
  'xrechnung-3.0': { ubl: XRECHNUNG, cii: XRECHNUNG },
};

/** Formats that billing details can name. */
export const INVOICE_FORMATS = [
  'en16931',
  'peppol-bis-3',
  'xrechnung-3.0',
  'factur-x',
] as const satisfies readonly InvoiceFormat[];

/** The profile of a format; that of EN 16931 where none is named. */
export function profileOf(format: InvoiceFormat = 'en16931'): Profile {
  return PROFILES[format];
}

type ContactAddresses = Partial<Pick<Buyer, 'endpoint' | 'email'>>;

/** The electronic address of a party; its e-mail address unless it has another one. */
export function endpointOf({ endpoint, email }: ContactAddresses): Endpoint | undefined {
  return endpoint ?? (email === undefined ? undefined : { scheme: 'EM', id: email });
}

/** Whom to ask at a party; its e-mail address is that of its contact unless it has another one. */
export function contactOf({
  contact,
  email,
}: Partial<Pick<Buyer, 'contact' | 'email'>>): Contact | undefined {
  return contact === undefined && email === undefined
    ? undefined
    : { ...(email !== undefined && { email }), ...contact };
}

interface Parties {
  readonly seller: Partial<Seller>;
  readonly buyer: PartialBuyer;
}

/** Whether seller and buyer are in one country. */
export function isWithin(country: string, { seller, buyer }: Parties): boolean {
  return seller.address?.country === country && buyer.address?.country === country;
}

/** Register of the seller's registration in Peppol (ISO 6523), where its country has one. */
export function registerOf({ address, registration_id: id }: Partial<Seller>): string | undefined {
  if (address?.country === 'DK') return '0184';
  if (address?.country === 'IS') return '0196';
  // Chamber of commerce, or the number of a public body.
  if (address?.country === 'NL') return id?.length === 8 ? '0106' : '0190';
  return undefined;
}

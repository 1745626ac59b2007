import type { Contact } from '#invoice-rules/invoice.js';
import { addressLines } from '#invoice-rules/postal-addresses.js';
import { packagesText } from '../form/packages-text.js';
import { FORMATS, LANGUAGES, PURCHASES } from './party-fields.js';
import { taxWords } from './tax-words.js';
import type { Party } from '../rest/answers.js';

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });

/** `Austria`; a text that is no code of a country as it is. */
function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (COUNTRIES.of(code) ?? code) : code;
}
const ORDERS = { approve: 'an operator accepts each', 'at-once': 'credits come at once' };

/** The filled-in fields of a party, and those that a lawful invoice still lacks. */
export function partyFacts(party: Party): readonly (readonly [string, string])[] {
  const { address } = party;
  const lines = address && [...addressLines(address), countryName(address.country)];
  const optional: readonly (readonly [string, string | undefined])[] = [
    ['VAT id', party.vat_id],
    ['Registration', party.registration_id],
    ['IBAN', party.iban],
    ['BIC', party.bic],
    ['Days to pay', party.payment_days?.toString()],
    ['Reminders after', party.reminder_days && `${party.reminder_days.join(', ')} days`],
    ['Packages', party.packages && packagesText(party.packages)],
    ['Orders', party.orders && ORDERS[party.orders]],
    ['Tax is owed in', party.tax_currency],
    ['Buyer’s reference', party.buyer_reference],
    ['Purchase order', party.purchase_order],
    ['Language of documents', party.language && LANGUAGES[party.language]],
    ['Colour', party.color],
    [
      'Credits expected to expire',
      party.breakage_percent === undefined ? undefined : `${party.breakage_percent} %`,
    ],
    ['Accounts of the journal', pairsText(party.ledger_accounts)],
    ['DATEV', party.datev && `${party.datev.consultant}/${party.datev.client}`],
    ['DATEV tax keys', pairsText(party.datev?.tax_keys)],
    ['Below the payment', party.remittance],
    ['Contact', contactText(party.contact)],
    ['Electronic address', party.endpoint && `${party.endpoint.scheme}:${party.endpoint.id}`],
    ['Format of XML documents', party.invoice_format && FORMATS[party.invoice_format]],
    ['Purchases', party.purchases && PURCHASES[party.purchases]],
    ['Tax, instead of the plan’s', party.tax && taxWords(party.tax)],
  ];
  return [
    ['Name', party.name ?? 'not filled in yet'],
    ['Address', lines?.join(', ') ?? 'not filled in yet'],
    ['E-mail', party.email ?? 'not filled in yet'],
    ...optional.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  ];
}

function pairsText(pairs: Readonly<Record<string, string | undefined>> = {}): string | undefined {
  return (
    Object.entries(pairs)
      .map(([name, text]) => `${name} ${text}`)
      .join(', ') || undefined
  );
}

function contactText(contact: Contact | undefined): string | undefined {
  if (contact === undefined) return undefined;
  const parts = [contact.name, contact.phone, contact.email];
  return parts.filter((part) => part !== undefined).join(', ') || undefined;
}

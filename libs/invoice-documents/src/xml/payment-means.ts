import { isPrepaid, type CreditNote, type Invoice, type Seller } from '#invoice-rules/invoice.js';
import { isWithin } from '#invoice-rules/profiles.js';

/** UNTDID 4461: a credit transfer, not only within SEPA. */
const CREDIT_TRANSFER = '30';
/** UNTDID 4461: no means was agreed. */
const NOT_DEFINED = '1';

/** BT-81, how a document is paid; undefined: it does not say. */
export function meansOf(document: Invoice | CreditNote): string | undefined {
  const { invoice_format: format } = document.buyer;
  if (document.type === 'credit_note' || isPrepaid(document)) {
    // BR-DE-1 and DE-R-001 ask for it, also where the seller pays or nothing is due.
    const isGerman = format === 'peppol-bis-3' && isWithin('DE', document);
    return format === 'xrechnung-3.0' || isGerman ? NOT_DEFINED : undefined;
  }
  if (document.seller.iban === undefined) return undefined;
  // DK-R-005 knows no transfer to an IBAN but within SEPA.
  const isDanish = format === 'peppol-bis-3' && isWithin('DK', document);
  return isDanish ? NOT_DEFINED : CREDIT_TRANSFER;
}

/** BG-17, the seller as it is paid: credit notes, and what is paid, name no account. */
export function bankOf(document: Invoice | CreditNote): Pick<Partial<Seller>, 'iban' | 'bic'> {
  return document.type === 'credit_note' || isPrepaid(document) ? {} : document.seller;
}

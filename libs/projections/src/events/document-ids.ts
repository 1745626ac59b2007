import { uuidOfParts } from '#web/uuid.js';

/** The one id of the invoice of an account and month (`2026-10`): the log takes it once. */
export function invoiceIdOf(accountId: string, month: string): string {
  return uuidOfParts('invoice', accountId, month);
}

/** The one id of the invoice of a purchase that is invoiced by itself. */
export function purchaseInvoiceIdOf(accountId: string, grantId: string): string {
  return uuidOfParts('purchase', accountId, grantId);
}

/** The one id of the credit note that refunds a voided purchase. */
export function refundIdOf(accountId: string, grantId: string): string {
  return uuidOfParts('refund', accountId, grantId);
}

/** The one id of the invoice in the place of a voided one. */
export function reissueIdOf(invoiceId: string): string {
  return uuidOfParts('reissue', invoiceId);
}

/** The id under which an invoice or credit note is numbered, in the system's lane. */
export function numberIdOf(documentId: string): string {
  return uuidOfParts('number', documentId);
}

/** Id of the event that ends a run. */
export function runEndIdOf(runId: string): string {
  return uuidOfParts('run-ended', runId);
}

/** Id of the event of a reminder so many days after the due date. */
export function reminderIdOf(invoiceId: string, days: number): string {
  return uuidOfParts('reminder', invoiceId, String(days));
}

/** Id of the event that reports an invoice as overdue. */
export function overdueIdOf(invoiceId: string): string {
  return uuidOfParts('overdue', invoiceId);
}

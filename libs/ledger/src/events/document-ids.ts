import { createHash } from 'node:crypto';
import { uuidV8 } from '#web/uuid.js';

function nameOf(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  // Lengths keep ("a", "bc") and ("ab", "c") apart.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`);
  return uuidV8(hash.digest());
}

/** The one id of the invoice of an account and month (`2026-10`): the log takes it once. */
export function invoiceIdOf(accountId: string, month: string): string {
  return nameOf('invoice', accountId, month);
}

/** The one id of the invoice of a purchase that is invoiced by itself. */
export function purchaseInvoiceIdOf(accountId: string, grantId: string): string {
  return nameOf('purchase', accountId, grantId);
}

/** The one id of the credit note that refunds a voided purchase. */
export function refundIdOf(accountId: string, grantId: string): string {
  return nameOf('refund', accountId, grantId);
}

/** The one id of the invoice in the place of a voided one. */
export function reissueIdOf(invoiceId: string): string {
  return nameOf('reissue', invoiceId);
}

/** The id under which an invoice or credit note is numbered, in the system's lane. */
export function numberIdOf(documentId: string): string {
  return nameOf('number', documentId);
}

/** Id of the event that ends a run. */
export function runEndIdOf(runId: string): string {
  return nameOf('run-ended', runId);
}

/** Id of the event that reports an invoice as overdue. */
export function overdueIdOf(invoiceId: string): string {
  return nameOf('overdue', invoiceId);
}

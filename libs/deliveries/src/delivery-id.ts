import { createHash } from 'node:crypto';
import { uuidV8 } from '#web/uuid.js';

function nameOf(...parts: readonly (string | number)[]): string {
  return uuidV8(createHash('sha256').update(parts.join(' ')).digest());
}

/** E-mails go to the mail server; this stands where webhooks have their id. */
export const MAIL_SERVER = '00000000-0000-8000-8000-000000000025';
/** The same for what a person waits for: no run of invoices stands before it. */
export const URGENT_MAIL = '00000000-0000-8000-8000-000000000026';

/** Whether a receiver stands for the mail server. */
export function isMailServer(receiver: string): boolean {
  return receiver === MAIL_SERVER || receiver === URGENT_MAIL;
}

/** The delivery of one event, known by its place in the log, to one webhook: the same for ever. */
export function webhookDeliveryId(lane: number, position: number, webhookId: string): string {
  return nameOf('delivery', lane, position, webhookId);
}

/** The delivery of one event to one e-mail address, known by the row that holds it. */
export function mailDeliveryId(
  lane: number,
  position: number,
  profileId: string,
  ordinal: number,
): string {
  return nameOf('e-mail', lane, position, profileId, ordinal);
}

/** The delivery of one document to the billing address, wherever that is. */
export function documentMailId(lane: number, position: number): string {
  return nameOf('document e-mail', lane, position);
}

/** One try of a delivery, however often its outcome is written down. */
export function attemptId(deliveryId: string, tries: number): string {
  return nameOf('attempt', deliveryId, tries);
}

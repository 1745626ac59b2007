import { createHash } from 'node:crypto';
import { uuidV8 } from '#web/uuid.js';

function nameOf(...parts: readonly (string | number)[]): string {
  return uuidV8(createHash('sha256').update(parts.join(' ')).digest());
}

/** All e-mails go to one receiver, the mail server; this stands where webhooks have their id. */
export const MAIL_SERVER = '00000000-0000-8000-8000-000000000025';

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

/** One try of a delivery, however often its outcome is written down. */
export function attemptId(deliveryId: string, tries: number): string {
  return nameOf('attempt', deliveryId, tries);
}

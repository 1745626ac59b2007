import type { Calendar } from '#calendar/calendar.js';
import type { Projection } from '#event-log/projection.js';
import { AUDIT, auditProjection } from './audit.projection.js';
import { DISPUTES, disputesProjection } from './disputes.projection.js';
import { INVOICES, invoicesProjection } from './invoices.projection.js';
import { LEDGER, ledgerProjection } from './ledger.projection.js';
import { NOTIFICATIONS, notificationsProjection } from './notifications.projection.js';
import { ReadSums } from './read-sums.js';
import { WINDOWS, windowsProjection } from './windows.projection.js';

/** Names of all projections that the service keeps. */
export const PROJECTION_NAMES: readonly string[] = [
  LEDGER,
  WINDOWS,
  NOTIFICATIONS,
  AUDIT,
  INVOICES,
  DISPUTES,
];

/** Every projection that the service keeps, in the billing zone of its calendar. */
export function allProjections(calendar: Calendar): readonly Projection[] {
  const read = new ReadSums(calendar);
  return [
    ledgerProjection(calendar, read),
    windowsProjection(calendar, read),
    notificationsProjection,
    auditProjection,
    invoicesProjection,
    disputesProjection,
  ];
}

import type { BudgetAlert } from '#account/budgets.js';
import { type AnyEventType, EVENT_TYPES, type EventName, eventType } from '#account/events.js';
import { formatMoment } from '#calendar/instant.js';
import type { NotificationType } from '#projections/projections/notification-types.js';
import type { Mail } from './send-mail.js';

/** Types that are also sent by e-mail, to the addresses that the budget names. */
export const MAIL_TYPES: readonly NotificationType[] = Object.values<AnyEventType>(
  EVENT_TYPES,
).flatMap(({ mail, notification }) => (mail && notification ? [notification.type] : []));

export interface AlertScene {
  /** The account's name, or its id where it was erased. */
  readonly account: string;
  /** The account's moment, ms since 1970. */
  readonly at: number;
  /** Where the account can be looked at. */
  readonly portalUrl: string;
}

const NUMBERS = new Intl.NumberFormat('en');

/** Subject and text of an alert: short, and plain text alone. */
export function alertMail(
  type: EventName,
  alert: BudgetAlert,
  { account, at, portalUrl }: AlertScene,
): Mail {
  const { mail } = eventType(type);
  if (mail === undefined) throw new Error(`An event of type ${type} is not sent by e-mail.`);
  const { budget_id: budget, period, limit, spent } = alert;
  const number = (value = 0) => NUMBERS.format(value);
  const lines = [
    `${account} has spent ${number(spent)} of the ${number(limit)} credits of a budget in ${period}.`,
    mail.sentence(alert as never, { number }),
    '',
    `Budget: ${budget}`,
    `Moment: ${formatMoment(at)}`,
    `More:   ${portalUrl}`,
    '',
    'You get this because the budget names your address.',
  ];
  const subject = `${account}: ${mail.headline(alert as never)}`;
  return { subject, text: `${lines.join('\n')}\n` };
}

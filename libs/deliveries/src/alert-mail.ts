import type {
  BudgetBlocked,
  BudgetForecastExceeded,
  BudgetThresholdCrossed,
} from '#account/budget-events.js';
import { formatMoment } from '#calendar/instant.js';
import type { NotificationType } from '#ledger/projections/notification-types.js';

/** The alert of a budget, as its event records it. */
export type BudgetAlert =
  | { readonly type: 'BudgetThresholdCrossed'; readonly data: BudgetThresholdCrossed }
  | { readonly type: 'BudgetBlocked'; readonly data: BudgetBlocked }
  | { readonly type: 'BudgetForecastExceeded'; readonly data: BudgetForecastExceeded };

/** Types that are also sent by e-mail, to the addresses that the budget names. */
export const MAIL_TYPES: readonly NotificationType[] = [
  'budget.threshold_crossed',
  'budget.blocked',
  'budget.forecast_exceeded',
];

export interface AlertMail {
  readonly subject: string;
  readonly text: string;
}

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
export function alertMail(alert: BudgetAlert, { account, at, portalUrl }: AlertScene): AlertMail {
  const { budget_id: budget, period, limit, spent } = alert.data;
  const lines = [
    `${account} has spent ${NUMBERS.format(spent)} of the ${NUMBERS.format(limit)} credits of a budget in ${period}.`,
    sentence(alert),
    '',
    `Budget: ${budget}`,
    `Moment: ${formatMoment(at)}`,
    `More:   ${portalUrl}`,
    '',
    'You get this because the budget names your address.',
  ];
  return { subject: `${account}: ${headline(alert)}`, text: `${lines.join('\n')}\n` };
}

function headline(alert: BudgetAlert): string {
  switch (alert.type) {
    case 'BudgetThresholdCrossed':
      return `${alert.data.threshold} % of a budget is spent`;
    case 'BudgetBlocked':
      return 'a budget refuses calls';
    case 'BudgetForecastExceeded':
      return 'a budget will not last';
  }
}

function sentence(alert: BudgetAlert): string {
  switch (alert.type) {
    case 'BudgetThresholdCrossed':
      return `It has an alert at ${alert.data.threshold} %.`;
    case 'BudgetBlocked':
      return (
        `A call of ${NUMBERS.format(alert.data.required_credits)} credits would have exceeded it ` +
        'and was refused, as others will be until the period ends.'
      );
    case 'BudgetForecastExceeded':
      return `At this pace nothing is left of it at ${alert.data.exhausted_at}.`;
  }
}

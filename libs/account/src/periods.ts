import { moved, withMonth } from './credits.js';
import { due, type Writer, type EventsOf } from './event-type.js';
import { type AccountState, NO_USE } from './state.js';
import type { Plan, Totals } from './terms.js';

/** The first instant of a month closes the last one in which something happened. */
export interface MonthClosed {
  /** Label of the month that ended: `2026-11`. */
  readonly month: string;
  /** In force in that month. */
  readonly plan: Plan | null;
  /** Calls of the month and what they were charged. */
  readonly calls: number;
  readonly credits: number;
  /** Balance as the month began, as it ended, and after this event. */
  readonly opening_balance: number;
  readonly balance_before: number;
  readonly balance: number;
  /** Credits that are billed: under a plan what the balance was below zero, else 0. */
  readonly overage: number;
  /** A debt that is not billed and goes on into the next month, as a positive number. */
  readonly carried: number;
  /** Grants with something left as the month ended; absent in events of older versions. */
  readonly grants?: readonly (readonly [grant: number, left: number])[];
  /** The overdraft from now on, where a plan ends; absent: as before, also in older versions. */
  readonly overdraft?: number | null;
  /** From the account's first event to this one, which is included. */
  readonly totals: Totals;
  /** Versions of the month's events, this one not included. */
  readonly account_version: { readonly from: number; readonly to: number };
  /** Head of the account's chain (hex) after version `to`; stands in every stored event. */
  readonly account_head?: string;
}

// These names are the stored format: members may be added, never renamed or removed.

/** A window ended in which the account had called. */
export interface WindowClosed {
  readonly window: string;
  readonly calls: number;
  readonly base_calls: number;
  readonly credits: number;
}

/** The plan of the month that follows. */
export function planToFollow({ plan, nextPlan, closedAt }: AccountState): AccountState['plan'] {
  if (closedAt !== null) return null;
  return nextPlan === null ? plan : nextPlan.plan;
}

/** The next month begins: with the plan that was chosen for it, and at once if there is one. */
export function monthEnded(
  state: AccountState,
  data: MonthClosed,
  at: number,
): Partial<AccountState> {
  const plan = planToFollow(state);
  return {
    ...moved(state, data.overage, 'billed'),
    plan,
    nextPlan: null,
    beforePlan: plan === null ? null : state.beforePlan,
    ...(data.overdraft !== undefined && { overdraft: data.overdraft }),
    includedDue: plan !== null && plan.included_credits > 0,
    monthSince: plan === null ? null : at,
    monthUse: NO_USE,
    billing: withMonth(state, data.month),
    lastClose: { month: data.month, version: state.version + 1, balance: data.balance },
  };
}

/** The ends of months and windows. */
export const PERIOD_EVENTS = {
  MonthClosed: due<MonthClosed>({
    effect: monthEnded,
    page: { kind: 'credits', data: ({ balance }) => ({ balance }) },
    story: {
      title: 'Month closed',
      details: (data, write) => `${write.text(data.month)}: ${callsIn(data, write)}`,
    },
  }),
  WindowClosed: due<WindowClosed, 'window.closed'>({
    opensMonth: false,
    effect: () => ({ windowUse: NO_USE }),
    notification: {
      type: 'window.closed',
      data: ({ window, calls, base_calls, credits }) => ({
        window,
        calls,
        base_calls,
        credits_used: credits,
      }),
    },
    page: { kind: 'window', data: ({ window }) => ({ window }) },
    story: {
      title: 'Window closed',
      details: (data, write) => `${write.text(data.window)}: ${callsIn(data, write)}`,
    },
  }),
};

function callsIn(
  { calls, credits }: { readonly calls?: number; readonly credits?: number },
  write: Writer,
): string {
  return `${write.count(calls, 'call')}, ${write.credits(credits)}`;
}

export type PeriodEvent = EventsOf<typeof PERIOD_EVENTS>;

import type { AccountEvent } from '#account/events.js';
import type { MonthClosed, WindowClosed } from '#account/periods.js';
import type { Plan } from '#account/terms.js';
import { terms } from '#account/scenario.suite.js';
import { hold } from './broken-rule.js';

interface Sums {
  readonly label: string;
  calls: number;
  base: number;
  credits: number;
}

/** Events that only report and open no month. */
const REPORTS = /^(WindowClosed|BalanceLow|BudgetThresholdCrossed|BudgetBlocked|BudgetForecast)/;

function sums(label: string): Sums {
  return { label, calls: 0, base: 0, credits: 0 };
}

/**
 * Contract 6 in the simplest words: each month in which something happened or a plan was in force
 * is closed once, at its end, with what was called in it; each window that was called in, too; and
 * a plan's credits are given once a month.
 */
export class MonthModel {
  private month: Sums | null = null;
  private window: Sums | null = null;
  private plan: Plan | null = null;
  private nextPlan: Plan | null = null;
  private isClosed = false;
  private closedVersion = 0;
  private openingBalance = 0;
  private readonly closedMonths = new Set<string>();
  private readonly closedWindows = new Set<string>();
  private readonly included = new Set<string>();
  private includedIn: string | null = null;

  take(event: AccountEvent, version: number, head: string, balance: number): void {
    const { type, at } = event;
    if (type === 'MonthClosed') return this.closeMonth(event.data, at, version, head, balance);
    if (type === 'WindowClosed') return this.closeWindow(event.data, at);
    this.checkOpen(event);
    if (!REPORTS.test(type)) this.month ??= sums(terms.calendar.monthAt(at).label);
    if (type === 'CreditsGranted' && event.data.kind === 'included') this.include(event.data);
    else hold(this.includedIn === null, () => `${type} comes before the plan's credits.`);
    this.note(event);
  }

  /** An event at the very moment of a period's end may come before the close. */
  private checkOpen(event: AccountEvent): void {
    const { type, at } = event;
    const isIncluded = type === 'CreditsGranted' && event.data.kind === 'included';
    const moment = isIncluded || type === 'GrantExpired' ? at - 1 : at;
    const month = terms.calendar.monthAt(moment).label;
    const isRunning = this.month === null || this.month.label >= month;
    hold(isRunning, () => `${type} in ${month}: ${this.month?.label} was never closed.`);
    const window = terms.calendar.windowAt(moment).label;
    const isOpen = this.window === null || this.window.label >= window;
    hold(isOpen, () => `${type} in ${window}: ${this.window?.label} was never closed.`);
  }

  private note(event: AccountEvent): void {
    const { type, at } = event;
    if (type === 'AccountOpened') {
      this.plan = event.data.plan ?? null;
      this.nextPlan = this.plan;
      this.includedIn = this.includes(terms.calendar.monthAt(at).label);
    }
    if (type === 'AccountChanged' && event.data.plan !== undefined) this.nextPlan = event.data.plan;
    if (type === 'AccountClosed') this.isClosed = true;
    if (type !== 'CallMade') return;
    const { label } = terms.calendar.windowAt(at);
    if (this.window?.label !== label) this.window = sums(label);
    for (const use of [this.month, this.window]) {
      if (use === null) continue;
      use.calls += 1;
      use.base += event.data.kind === 'base' ? 1 : 0;
      use.credits += event.data.cost[0] + event.data.cost[1];
    }
  }

  private closeMonth(
    data: MonthClosed,
    at: number,
    version: number,
    head: string,
    balance: number,
  ): void {
    const { month } = this;
    const { endsAt } = terms.calendar.monthOf(data.month) ?? { endsAt: 0 };
    hold(month?.label === data.month, () => `${data.month} is closed, open is ${month?.label}.`);
    hold(at === endsAt, () => `${data.month} is closed at ${at}.`);
    hold(!this.closedMonths.has(data.month), () => `${data.month} is closed twice.`);
    this.closedMonths.add(data.month);
    const isCounted = data.calls === month.calls && data.credits === month.credits;
    hold(isCounted, () => `${data.month} had ${month.calls} calls, ${month.credits} credits.`);
    const debt = Math.max(0, -balance);
    const overage = this.plan === null ? 0 : debt;
    hold(data.overage === overage, () => `${data.overage} of a debt of ${debt} are billed.`);
    hold(data.carried === debt - overage, () => `${data.carried} of ${debt} are carried on.`);
    const isWhole =
      data.balance_before === balance &&
      data.opening_balance === this.openingBalance &&
      JSON.stringify(data.plan) === JSON.stringify(this.plan);
    hold(isWhole, () => `${JSON.stringify(data)} closes a month that ends with ${balance}.`);
    const { from, to } = data.account_version;
    const isNext = from === this.closedVersion + 1 && to === version - 1;
    hold(isNext, () => `Versions ${from} to ${to} are closed by ${version}.`);
    hold(data.account_head === head, () => `The seal of ${data.month} is not the chain's head.`);
    this.closedVersion = version;
    this.openingBalance = data.balance;
    this.plan = this.isClosed ? null : this.nextPlan;
    const next = this.plan === null ? null : terms.calendar.monthAt(endsAt).label;
    this.month = next === null ? null : sums(next);
    this.includedIn = next === null ? null : this.includes(next);
  }

  private closeWindow({ window: label, ...data }: WindowClosed, at: number): void {
    const { window } = this;
    const { endsAt } = terms.calendar.windowOf(label) ?? { endsAt: 0 };
    hold(window?.label === label, () => `${label} is closed, open is ${window?.label}.`);
    hold(at === endsAt && !this.closedWindows.has(label), () => `${label} is closed at ${at}.`);
    this.closedWindows.add(label);
    const { calls, base, credits } = window;
    const isCounted = data.calls === calls && data.base_calls === base && data.credits === credits;
    hold(isCounted, () => `${label} had ${calls} calls, ${base} bases, ${credits} credits.`);
    this.window = null;
  }

  /** The month of which credits are still to be given. */
  private includes(month: string): string | null {
    return (this.plan?.included_credits ?? 0) > 0 ? month : null;
  }

  private include(data: { readonly credits: number }): void {
    const month = this.includedIn;
    hold(month !== null, () => 'Nobody has a plan, or its credits were given.');
    hold(!this.included.has(month), () => `The credits of ${month} are given twice.`);
    hold(data.credits === this.plan?.included_credits, () => `${data.credits} are included.`);
    this.included.add(month);
    this.includedIn = null;
  }
}

import type { BudgetSet } from '#account/budgets.js';
import type { CallMade } from '#account/calls.js';
import type { AccountEvent } from '#account/events.js';
import { terms } from '#account/scenario.suite.js';
import { hold } from './broken-rule.js';

const WHOLE = 'all';

/**
 * Contract 6 on budgets in the simplest words: the spending of each API key in each period, one
 * alert for each threshold, once in a period and at once, no call beyond a budget that blocks; and
 * one alert for a low balance until it was as high again.
 */
export class BudgetModel {
  /** Credits by label of month or window and API key. */
  private readonly spent = new Map<string, number>();
  private readonly budgets = new Map<string, BudgetSet>();
  private readonly reported = new Set<string>();
  private low: number | null = null;
  private isLowReported = false;
  private balance = 0;
  private at = 0;

  take(event: AccountEvent, balance: number): void {
    this.at = event.at;
    this.balance = balance;
    if (event.type === 'CallMade') this.spend(event.data);
    this.note(event);
    if (this.low === null || balance >= this.low) this.isLowReported = false;
  }

  settle(): void {
    for (const budget of this.budgets.values()) {
      for (const threshold of budget.thresholds) {
        const isReported = this.reported.has(this.name(budget, String(threshold)));
        hold(
          isReported || !this.isCrossed(budget, threshold),
          () => `${threshold} % of ${budget.limit} were crossed without an alert.`,
        );
      }
    }
    const isLow = this.low !== null && this.balance < this.low;
    hold(
      !isLow || this.isLowReported,
      () => `A balance of ${this.balance} is low without an alert.`,
    );
  }

  private note({ type, data }: AccountEvent): void {
    if (type === 'AccountOpened' || type === 'AccountChanged') {
      this.low = data.low_balance === undefined ? this.low : data.low_balance;
      this.isLowReported ||= type === 'AccountOpened';
    } else if (type === 'BudgetSet') {
      this.budgets.set(data.budget_id, data);
    } else if (type === 'BudgetRemoved') {
      this.budgets.delete(data.budget_id);
    } else if (type === 'BudgetThresholdCrossed') {
      const budget = this.record(data, String(data.threshold));
      hold(this.isCrossed(budget, data.threshold), () => `${data.threshold} % were not crossed.`);
    } else if (type === 'BudgetBlocked') {
      this.record(data, 'blocked');
      const isBeyond = data.spent + data.required_credits > data.limit;
      hold(isBeyond, () => `${data.required_credits} credits would not exceed ${data.limit}.`);
    } else if (type === 'BudgetForecastExceeded') {
      this.record(data, 'forecast');
    } else if (type === 'BalanceLow') {
      const isLow = this.low !== null && this.balance < this.low;
      hold(isLow && !this.isLowReported, () => `A balance of ${this.balance} is reported as low.`);
      this.isLowReported = true;
    }
  }

  private record(
    data: { readonly budget_id: string; readonly period: string; readonly spent: number },
    what: string,
  ): BudgetSet {
    const budget = this.budgets.get(data.budget_id);
    hold(budget !== undefined, () => `There is no budget ${data.budget_id}.`);
    const name = this.name(budget, what);
    hold(!this.reported.has(name), () => `${name} is reported twice.`);
    this.reported.add(name);
    const spent = this.spentOf(budget);
    const isRight = data.period === this.periodOf(budget) && data.spent === spent;
    hold(isRight, () => `${JSON.stringify(data)} is reported at ${spent} credits.`);
    return budget;
  }

  private spend({ api_key: key, cost }: CallMade): void {
    const credits = cost[0] + cost[1];
    const { label: month } = terms.calendar.monthAt(this.at);
    const { label: window } = terms.calendar.windowAt(this.at);
    for (const period of [month, window]) {
      for (const who of [String(key), WHOLE]) {
        const name = `${period} ${who}`;
        this.spent.set(name, (this.spent.get(name) ?? 0) + credits);
      }
    }
    for (const budget of this.budgets.values()) {
      const counts = budget.api_key === null || budget.api_key === key;
      const isBeyond = budget.action === 'block' && this.spentOf(budget) > budget.limit;
      hold(!counts || !isBeyond, () => `A call went beyond the budget of ${budget.limit}.`);
    }
  }

  private isCrossed(budget: BudgetSet, threshold: number): boolean {
    const spent = BigInt(this.spentOf(budget));
    return spent * 100n >= BigInt(budget.limit) * BigInt(threshold);
  }

  private spentOf(budget: BudgetSet): number {
    const who = budget.api_key === null ? WHOLE : String(budget.api_key);
    return this.spent.get(`${this.periodOf(budget)} ${who}`) ?? 0;
  }

  private periodOf({ period }: BudgetSet): string {
    const { calendar } = terms;
    return (period === 'month' ? calendar.monthAt(this.at) : calendar.windowAt(this.at)).label;
  }

  private name(budget: BudgetSet, what: string): string {
    return `${budget.budget_id} ${this.periodOf(budget)} ${what}`;
  }
}

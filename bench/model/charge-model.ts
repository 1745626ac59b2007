import type { CallMade } from '#account/calls.js';
import type { AccountEvent } from '#account/events.js';
import { terms } from '#account/scenario.suite.js';
import { hold } from './broken-rule.js';
import { BudgetModel } from './budget-model.js';
import { MonthModel } from './month-model.js';

const REPEAT_FEE = 10;

/** Price of a key's first call, in credits. Throws BrokenRule for a call that cannot be. */
export type CheckPrice = (call: CallMade) => number;

/**
 * The specification of charges (3 and 8.1) in the simplest words and without any code of the
 * service: one base for each account and key, 10 credits for each repeat, and a balance that is the
 * sum of what happened.
 */
export class ChargeModel {
  private balance = 0;
  private lastAt = 0;
  private readonly opened = new Set<string>();
  private readonly months = new MonthModel();
  private readonly budgets = new BudgetModel();

  constructor(private readonly basePrice?: CheckPrice) {}

  /** `version` of the account; `head` of its chain before the event. */
  take(event: AccountEvent, version: number, head: string): void {
    hold(event.at >= this.lastAt, () => `Time runs backwards: ${event.type} at ${event.at}.`);
    this.lastAt = event.at;
    this.months.take(event, version, head, this.balance);
    const change = this.changeOf(event);
    if (change !== null) {
      this.balance += change.credits;
      hold(
        this.balance === change.balance,
        () => `${event.type} says balance ${change.balance}; the sum is ${this.balance}.`,
      );
    }
    this.budgets.take(event, this.balance);
  }

  /** Called once all events of a commit were taken: no alert may be missing. */
  settle(): void {
    this.budgets.settle();
  }

  private changeOf(event: AccountEvent): { credits: number; balance: number } | null {
    const { type, data } = event;
    if (type === 'CreditsGranted' || type === 'Adjusted') return data;
    if (type === 'GrantExpired' || type === 'GrantVoided') {
      return { credits: -data.credits, balance: data.balance };
    }
    if (type === 'MonthClosed') return { credits: data.overage, balance: data.balance };
    if (type !== 'CallMade') return null;
    return { credits: -this.creditsOf(data, event.at), balance: data.balance };
  }

  private creditsOf(call: CallMade, at: number): number {
    const { key, kind, cost } = call;
    const first = !this.opened.has(key);
    this.opened.add(key);
    hold((kind === 'base') === first, () => `${key} is charged as ${kind}, first call: ${first}.`);
    const charged = cost[0] + cost[1];
    const base = this.basePrice === undefined ? charged : this.basePrice(call);
    const credits = first ? base : REPEAT_FEE;
    hold(charged === credits, () => `${key} costs ${charged} instead of ${credits}.`);
    const running = terms.calendar.windowAt(at).label;
    const window = call.window ?? labelIn(key);
    hold(window === running, () => `A call in ${running} stands in window ${window}.`);
    return credits;
  }
}

/** The label that a key holds, from its text alone. */
function labelIn(key: string): string {
  return key.split('/')[2] ?? '';
}

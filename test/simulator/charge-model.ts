import type { AccountEvent, CallMade } from '#account/events.js';
import { terms } from '#account/scenario.suite.js';
import { hold } from './broken-rule.js';
import { baseCreditsOf, labelIn, ROWS } from './resources.js';

const REPEAT_FEE = 10;

/**
 * What the specification says of charges (3 and 8.1), told once more in the simplest words and
 * without any code of the service: one base for each account and key, 10 credits for each repeat,
 * and a balance that is the sum of what happened.
 */
export class ChargeModel {
  private balance = 0;
  private lastAt = 0;
  private readonly opened = new Set<string>();

  take(event: AccountEvent): void {
    hold(event.at >= this.lastAt, () => `Time runs backwards: ${event.type} at ${event.at}.`);
    this.lastAt = event.at;
    const change = this.changeOf(event);
    if (change === null) return;
    this.balance += change.credits;
    hold(
      this.balance === change.balance,
      () => `${event.type} says balance ${change.balance}; the sum is ${this.balance}.`,
    );
  }

  private changeOf(event: AccountEvent): { credits: number; balance: number } | null {
    switch (event.type) {
      case 'CreditsGranted':
      case 'Adjusted':
        return event.data;
      case 'GrantExpired':
        return { credits: -event.data.credits, balance: event.data.balance };
      case 'CallMade':
        return { credits: -this.creditsOf(event.data, event.at), balance: event.data.balance };
      case 'AccountOpened':
      case 'AccountResumed':
      case 'AccountSuspended':
      case 'ApiKeyIssued':
      case 'ApiKeyRevoked':
      case 'TestClockMoved':
        return null;
    }
  }

  private creditsOf(call: CallMade, at: number): number {
    const { key, kind, cost, rows } = call;
    const first = !this.opened.has(key);
    this.opened.add(key);
    hold((kind === 'base') === first, () => `${key} is charged as ${kind}, first call: ${first}.`);
    const credits = first ? baseCreditsOf(key) : REPEAT_FEE;
    const charged = cost[0] + cost[1];
    hold(charged === credits, () => `${key} costs ${charged} instead of ${credits}.`);
    hold(rows === ROWS, () => `${key} has ${rows} rows.`);
    const running = terms.calendar.windowAt(at).label;
    const window = call.window ?? labelIn(key);
    hold(window === running, () => `A call in ${running} stands in window ${window}.`);
    return credits;
  }
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from '#account/commands.js';
import type { Terms } from '#account/decide-call.js';
import type { Refusal } from '#account/refusal.js';
import { recall } from '#account/state.js';
import { Calendar } from '#calendar/calendar.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { knowsKey, type LoadedAccount } from '#projections/snapshots/account-row.js';
import { unopened } from '#projections/snapshots/account-tail.js';
import type { RateCard } from '#rating/rate-card.js';
import { adjustmentIdOf, replayIdOf } from './command-id.js';
import { fold } from './fold.js';

/** A command as it came to the lane writer, at a moment in ms since 1970. */
interface RecordedCommand {
  readonly at: number;
  readonly account: string;
  readonly id: string;
  /** Whether the log is asked for its id first. */
  readonly retry: boolean;
  readonly command: Command;
}

/** Its events as they are stored, each with the account's head after it, or its refusal. */
interface RecordedOutcome {
  readonly events: readonly (readonly [
    type: string,
    at: number,
    callId: string | null,
    data: string,
    hash: string,
  ])[];
  readonly refusal: Refusal | null;
}

/** Decides commands one after the other, as a lane writer does that has all accounts loaded. */
class CommandReplay {
  private readonly accounts = new Map<string, LoadedAccount>();
  private readonly logged = new Map<string, StoredEvent>();
  private readonly opened = new Map<string, Set<string>>();
  private readonly terms: Terms;

  constructor(cards: readonly RateCard[]) {
    this.terms = { calendar: new Calendar('UTC'), cards };
  }

  account(id: string): LoadedAccount {
    return this.accounts.get(id) ?? unopened;
  }

  decide({ at, account, id, retry, command }: RecordedCommand): RecordedOutcome {
    this.recallKey(account, command);
    const submission = { accountId: account, callId: id, isRetry: retry, notAfter: at, command };
    const unanswered = { resolve: () => undefined, reject: () => undefined };
    const pending = { submission, ...unanswered, isRetry: retry, uncertainSinceHead: null };
    const known = {
      account: (accountId: string) => this.account(accountId),
      first: (callId: string) => this.logged.get(callId),
      adjusted: (callId: string) => this.logged.has(adjustmentIdOf(callId)),
      replayed: (callId: string) => this.logged.has(replayIdOf(callId)),
    };
    const [lane] = fold([pending], known, at, this.terms).lanes.values();
    if (lane === undefined) throw new Error(`Command ${id} was not decided.`);
    for (const [accountId, after] of lane.accounts) this.accounts.set(accountId, after);
    for (const event of lane.events) this.log({ ...event, lane: lane.lane, position: 0 });
    return {
      events: lane.events.map(({ type, at: moment, callId, data, hash }) => {
        return [type, moment, callId, data, hash] as const;
      }),
      refusal: lane.answers[0]?.answer.refusal ?? null,
    };
  }

  /** Keys of windows that the state has dropped are looked up for the call that asks for one. */
  private recallKey(id: string, command: Command): void {
    if (command.command !== 'make-call') return;
    const account = this.account(id);
    const { key } = command.request;
    if (knowsKey(account, key) || this.opened.get(id)?.has(key) !== true) return;
    this.accounts.set(id, { ...account, state: recall(account.state, [key]) });
  }

  private log(event: StoredEvent): void {
    if (event.callId !== null) this.logged.set(event.callId, event);
    if (event.type !== 'CallMade') return;
    const { key } = JSON.parse(event.data) as { readonly key: string };
    const opened = this.opened.get(event.accountId) ?? new Set();
    this.opened.set(event.accountId, opened.add(key));
  }
}

// Made when the popularity index was all that the service could charge:
// accounts with and without plans, budgets, disputes and test clocks, every resource, three rate
// cards, repeats and refusals, over several weeks and months. The file is never made again.
const [header = '', ...steps] = readFileSync(
  path.resolve('libs/deciding/src/recorded-commands.jsonl'),
  'utf8',
)
  .trimEnd()
  .split('\n');

test('calls of the popularity index make the same events, byte for byte, as they always did', () => {
  const replay = new CommandReplay((JSON.parse(header) as { cards: RateCard[] }).cards);
  const types = new Set<string>();
  for (const step of steps) {
    const { events, refusal, ...command } = JSON.parse(step) as RecordedCommand & RecordedOutcome;
    const outcome = replay.decide(command);
    // The words of a refusal may be said better; its reason and its numbers are for clients.
    const { detail: _words, ...reason } = { ...refusal } as Record<string, unknown>;
    const expected = refusal === null ? null : expect.objectContaining(reason);
    expect(JSON.parse(JSON.stringify(outcome))).toEqual({ events, refusal: expected });
    for (const [type] of events) types.add(type);
  }
  expect(steps.length).toBeGreaterThan(500);
  expect(types.size).toBeGreaterThan(15);
});

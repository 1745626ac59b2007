import type pg from 'pg';
import type { RecordBilling } from '#account/billing.js';
import { accountEvent } from '#account/events.js';
import { keyConflict } from '#account/replay.js';
import { type AccountState, momentOf } from '#account/state.js';
import type { Origin } from '#account/terms.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { laneOf, type EventLog, type StoredEvent } from '#event-log/event-log.js';
import { readBilling, type AccountBilling } from '#projections/invoices/account-billing.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { readable } from '#projections/texts/readable.js';
import { ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import type { AccountChange } from '#deciding/changes/account-change.js';
import type { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Change } from '#deciding/changes/change.js';
import { knownAccount } from '#deciding/changes/known-account.js';

export interface BillingChangesParts {
  readonly changes: AccountChanges;
  readonly loader: AccountLoader;
  readonly log: Pick<EventLog, 'findCalls'>;
  readonly pool: pg.Pool;
  readonly calendar: Calendar;
  readonly clock: Clock;
}

/** An account's invoices as they stand when something about them is decided. */
export interface BillingContext {
  readonly state: AccountState;
  readonly billing: AccountBilling;
  /** Local date of the account. */
  readonly today: string;
  /** Local date on which it was opened. */
  readonly openedOn: string;
  /** Id of the command, and of what it makes. */
  readonly id: string;
}

/** Decides what is recorded, and keeps what the record names. Refuses with a ProblemException. */
export type Decide<Context> = (
  context: Context,
) => Promise<Pick<RecordBilling, 'record' | 'purchases' | 'keptAs'>>;

export interface RecordedChange {
  readonly id: string;
  readonly accountId: string;
  readonly event: StoredEvent;
  readonly replayed: boolean;
}

const ATTEMPTS_MAX = 20;

/**
 * Records changes of an account's invoices by operators. Each is decided on all events about these
 * invoices, and decided again when another one came in between.
 */
export class BillingChanges {
  constructor(private readonly parts: BillingChangesParts) {}

  /** Resolves once it is durable. Throws a ProblemException for what is refused. */
  async record(
    accountId: string,
    change: Change,
    decide: Decide<BillingContext>,
  ): Promise<RecordedChange> {
    const made = this.parts.changes.of(accountId, change);
    const { id } = made;
    const earlier = async () =>
      change.idempotencyKey === null ? undefined : this.find(accountId, id);
    const known = await earlier();
    if (known !== undefined) return replay(accountId, id, known, change);
    let replayed: boolean;
    try {
      replayed = await this.decideAndRecord(accountId, made, decide);
    } catch (error) {
      // The same request may have been recorded meanwhile, and this one is refused for it.
      const raced = await earlier();
      if (raced === undefined) throw error;
      return replay(accountId, id, raced, change);
    }
    const event = await this.find(accountId, id);
    if (event === undefined) throw new Error(`Change ${id} is not in the log.`);
    return { id, accountId, event, replayed };
  }

  /** Decides without recording: what would be refused is refused. */
  async consider(accountId: string, decide: Decide<BillingContext>): Promise<void> {
    await decide(await this.context(accountId, ''));
  }

  private async decideAndRecord(
    accountId: string,
    change: AccountChange,
    decide: Decide<BillingContext>,
  ): Promise<boolean> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const context = await this.context(accountId, change.id);
      const { record, purchases, keptAs } = await decide(context);
      const after = context.billing.version;
      const command = { command: 'record-billing', after, record, purchases, keptAs } as const;
      const outcome = await change.trySubmit(command);
      if (outcome.refusal === null) return outcome.replayed;
      if (outcome.refusal.reason === 'billing-moved') continue;
      throw new ProblemException(refusalProblem(outcome.refusal));
    }
    throw new ProblemException(refusalProblem({ reason: 'billing-moved', version: 0 }));
  }

  private async context(accountId: string, id: string): Promise<BillingContext> {
    const { pool, loader, calendar, clock } = this.parts;
    const state = await knownAccount(loader, accountId);
    const today = calendar.dayAt(momentOf(state, clock.now())).label;
    const billing = await readBilling(pool, accountId);
    return { state, billing, today, openedOn: calendar.dayAt(state.openedAt).label, id };
  }

  private async find(accountId: string, callId: string): Promise<StoredEvent | undefined> {
    const found = await this.parts.log.findCalls([{ lane: laneOf(accountId), callId }]);
    return (await readable(this.parts.pool, found))[0];
  }
}

/** Returns the earlier result of the same key, whatever happened since. */
function replay(
  accountId: string,
  id: string,
  event: StoredEvent,
  { input }: Change,
): RecordedChange {
  if ((JSON.parse(event.data) as Partial<Origin>).input === input) {
    return { id, accountId, event, replayed: true };
  }
  const first = accountEvent(event.type, event.at, event.data);
  throw new ProblemException(refusalProblem(keyConflict(first, id)));
}

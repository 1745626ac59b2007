import type pg from 'pg';
import type { Command } from '#account/commands.js';
import { decide } from '#account/decide.js';
import { evolve } from '#account/evolve.js';
import { withHead } from '#account/months.js';
import {
  grantCredits,
  issueApiKey,
  openAccount,
  terms as utcTerms,
  TUESDAY,
} from '#account/scenario.suite.js';
import { Calendar } from '#calendar/calendar.js';
import { openDatabase } from '#database/database.js';
import { laneOf, type EventLog, type NewEvent, type StoredEvent } from '#event-log/event-log.js';
import { hashEvent } from '#event-log/hash-chain.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { forAllTests } from '../../../../test/setup/for-all-tests.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/setup/test-database.js';
import type { LoadedAccount } from '../snapshots/account-row.js';
import { unopened } from '../snapshots/account-tail.js';
import { ledgerProjection } from '../projections/ledger.projection.js';
import { PostgresAccountReads } from './postgres-account-reads.js';
import { ReadSums } from '../projections/read-sums.js';
import { windowsProjection } from '../projections/windows.projection.js';

/** So few that rows hold some of the calls of a test, and others do not. */
export const SUMMED_EVERY = 3;

/** One for all tests of a spec. */
export function ledgerScene(zone?: string): LedgerScene {
  return forAllTests(
    () => LedgerScene.open(zone),
    (scene) => scene.close(),
  );
}

/** A database of its own with accounts that tests write, and project when they want to. */
export class LedgerScene {
  readonly pool: pg.Pool;
  readonly log: EventLog;
  readonly calendar: Calendar;
  readonly url: string;
  private writers = 0;

  private constructor(
    private readonly database: TestDatabase,
    zone: string,
  ) {
    this.url = database.url;
    this.pool = openDatabase({ url: database.url, applicationName: 'ledger-spec' });
    this.log = new PostgresEventLog(this.pool, this.database.groups);
    this.calendar = new Calendar(zone);
  }

  static async open(zone = 'UTC'): Promise<LedgerScene> {
    return new LedgerScene(await createTestDatabase(), zone);
  }

  async close(): Promise<void> {
    await this.pool.end();
    await this.database.drop();
  }

  writer(): Writer {
    this.writers += 1;
    return new Writer(this.writers, this.log, this.calendar);
  }

  /** The reads at a moment. */
  reads(now: number): PostgresAccountReads {
    return new PostgresAccountReads(this.pool, this.calendar, { now: () => now });
  }

  /** Projects what the log holds of an account's lane and has not been projected yet. */
  async project(accountId: string): Promise<void> {
    const lane = laneOf(accountId);
    const read = new ReadSums(this.calendar, SUMMED_EVERY);
    const projections = [
      ledgerProjection(this.calendar, read),
      windowsProjection(this.calendar, read),
    ];
    for (const projection of projections) {
      const { rows } = await this.pool.query<{ position: number }>(
        'select position from checkpoint where projection = $1 and lane = $2',
        [projection.name, lane],
      );
      const after = rows[0]?.position ?? 0;
      const events = await this.log.read(lane, after, 100_000);
      const last = events.at(-1);
      if (last === undefined) continue;
      const client = await this.pool.connect();
      try {
        await client.query('begin');
        await projection.apply(events, client);
        await client.query(
          `insert into checkpoint (projection, lane, position, version) values ($1, $2, $3, $4)
           on conflict (projection, lane) do update set position = excluded.position`,
          [projection.name, lane, last.position, projection.version],
        );
        await client.query('commit');
      } finally {
        client.release();
      }
    }
  }
}

/** An account of a test of its own: it decides its commands and writes them to the log. */
export class Writer {
  readonly id: string;
  readonly hash: string;
  account: LoadedAccount = unopened;
  private events = 0;
  private waiting: NewEvent[] = [];

  constructor(
    private readonly number: number,
    private readonly log: EventLog,
    private readonly calendar: Calendar,
  ) {
    this.hash = number.toString(16).padStart(64, '0');
    this.id = `0197c000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
  }

  async write(at: number, command: Command): Promise<void> {
    this.decide(at, command);
    await this.flush();
  }

  /** Decides without writing: `flush` writes all that was decided, in one append. */
  decide(at: number, command: Command, cards = utcTerms.cards): void {
    const terms = { calendar: this.calendar, cards };
    const { events, refusal } = decide(this.account.state, command, at, terms);
    if (refusal !== null) throw new Error(`The command was refused: ${refusal.reason}.`);
    for (const event of events) {
      this.events += 1;
      const suffix = this.events.toString(16).padStart(8, '0');
      const columns = {
        accountId: this.id,
        accountVersion: this.account.state.version + 1,
        callId: `0197c000-0000-7000-9${this.number.toString(16).padStart(3, '0')}-0000${suffix}`,
        type: event.type,
        at: event.at,
        data: JSON.stringify(withHead(event, this.account.head).data),
      };
      const head = hashEvent(this.account.head, columns);
      this.waiting.push({ ...columns, hash: head });
      this.account = { state: evolve(this.account.state, event), head };
    }
  }

  async flush(): Promise<void> {
    const [end] = await this.log.ends([laneOf(this.id)]);
    if (end === undefined) throw new Error('The lane has no end.');
    const events = this.waiting.splice(0);
    if (events.length > 0) await this.log.append([{ end, events }]);
  }

  /** Opens the account with an API key and credits. */
  async open(at = TUESDAY): Promise<this> {
    await this.write(at, openAccount());
    await this.write(at, issueApiKey({ hash: this.hash }));
    await this.write(at, grantCredits(90_000_000));
    return this;
  }

  async history(): Promise<StoredEvent[]> {
    return this.log.readAccount(this.id, 0, 100_000);
  }
}

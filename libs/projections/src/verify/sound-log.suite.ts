import { NOTHING } from '#event-log/fold.js';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Command } from '#account/commands.js';
import { decide } from '#account/decide.js';
import { evolve } from '#account/evolve.js';
import { withHead } from '#account/months.js';
import {
  adjust,
  allBeauty,
  callAt,
  DAY,
  grantCredits,
  HOUR,
  issueApiKey,
  openAccount,
  terms,
  TUESDAY,
} from '#account/scenario.suite.js';
import { openDatabase } from '#database/database.js';
import { fillProjections } from '#event-log/fill-projection.js';
import { laneOf, SYSTEM_LANE, type NewEvent, type StoredEvent } from '#event-log/event-log.js';
import { FIRST_HEAD, hashBatch, hashEvent } from '#event-log/hash-chain.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { registerProjection } from '#event-log/projection-batch.js';
import { SystemStream } from '#event-log/system-stream.js';
import { forEachTest } from '../../../../test/setup/for-all-tests.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/setup/test-database.js';
import { accountInLane } from '../../../../test/setup/test-events.js';
import type { LoadedAccount } from '../snapshots/account-row.js';
import { unopened } from '../snapshots/account-tail.js';
import { Profiles } from '../texts/profiles.js';
import { allProjections } from '../projections/projections.js';
import { verifyLog, type VerifyReport } from '../lane-threads/verify-log.js';

/** Lanes of the accounts of a sound log. */
export const LANE = 7;
export const OTHER_LANE = 40;
export const SYSTEM_EVENTS = 2;
const PROJECTIONS = allProjections(terms.calendar);

/** One for each test of a spec. */
export function soundLogOfEachTest(): SoundLog {
  return forEachTest(
    () => SoundLog.make(),
    (log) => log.drop(),
  );
}

/** A log on a database of its own that is sound until a test damages it. */
export class SoundLog {
  readonly pool: pg.Pool;
  readonly log: PostgresEventLog;
  readonly accountId = accountInLane(LANE);
  readonly otherId = accountInLane(OTHER_LANE);
  private readonly accounts = new Map<string, LoadedAccount>();

  private constructor(private readonly database: TestDatabase) {
    this.pool = openDatabase({ url: database.url, applicationName: 'verify-spec' });
    this.log = new PostgresEventLog(this.pool, this.database.groups);
  }

  static async make(): Promise<SoundLog> {
    const made = new SoundLog(await createTestDatabase());
    const system = new SystemStream(made.log);
    for (const zone of ['UTC', 'UTC']) {
      const data = { zone };
      await system.append(NOTHING, () => ({
        callId: null,
        type: 'BillingZoneSet',
        at: TUESDAY,
        data,
      }));
    }
    await made.customer(made.accountId, 'aa', {});
    await made.customer(made.otherId, 'bb', { testClock: TUESDAY, test: true });
    await made.project();
    return made;
  }

  get url(): string {
    return this.database.url;
  }

  async drop(): Promise<void> {
    await this.pool.end();
    await this.database.drop();
  }

  verify(lane?: number): Promise<VerifyReport> {
    const lanes = lane === undefined ? {} : { lanes: [lane] };
    return verifyLog(this.pool, PROJECTIONS, terms, lanes);
  }

  /** Findings of a verification of all lanes that are not empty, as `check: table`. */
  async found(): Promise<string[]> {
    const lanes = [SYSTEM_LANE, LANE, OTHER_LANE];
    const { checks, intact } = await verifyLog(this.pool, PROJECTIONS, terms, { lanes });
    const found = checks.flatMap(({ check, first }) =>
      first === null ? [] : [`${check}: ${first.table}`],
    );
    if (intact !== (found.length === 0))
      throw new Error(`intact is ${intact} with ${found.join()}.`);
    return found;
  }

  async sql(text: string, values: readonly unknown[] = []): Promise<void> {
    const { rowCount } = await this.pool.query(text, [...values]);
    if (rowCount === 0) throw new Error(`Nothing was damaged by ${text}`);
  }

  /** Position of the first call of a kind in LANE. */
  async position(kind: 'base' | 'repeat'): Promise<number> {
    const { rows } = await this.pool.query<{ position: number }>(
      `select min(position) as position from event
        where lane = $1 and type = 'CallMade' and data ->> 'kind' = $2`,
      [LANE, kind],
    );
    return rows[0]?.position ?? 0;
  }

  /** Writes another text into the data of the first call of a kind. */
  async forge(kind: 'base' | 'repeat', from: string, to: string): Promise<void> {
    await this.sql(
      `update event set data = replace(data::text, $3, $4)::json
        where lane = $1 and position = $2 and data::text like '%' || $3 || '%'`,
      [LANE, await this.position(kind), from, to],
    );
  }

  /** As `forge`, with all hashes and all projections made to fit: only the meaning is wrong. */
  async forgeWell(kind: 'base' | 'repeat', from: string, to: string): Promise<void> {
    await this.forge(kind, from, to);
    await this.chainAgain(LANE);
    await this.projectAgain();
  }

  /** Moves the moment of an event: a cluster lets no update calculate with moments. */
  async moveMoment(lane: number, position: number, interval: string): Promise<void> {
    const { rows } = await this.pool.query<{ at: string }>(
      'select (at + $3::interval)::text as at from event where lane = $1 and position = $2',
      [lane, position, interval],
    );
    await this.sql('update event set at = $3 where lane = $1 and position = $2', [
      lane,
      position,
      rows[0]?.at,
    ]);
  }

  /** Brings all projections to the end of the log. */
  async project(): Promise<void> {
    const ends = new Map((await this.log.ends()).map(({ lane, position }) => [lane, position]));
    for (const projection of PROJECTIONS) await registerProjection(this.pool, projection);
    await fillProjections(this.pool, PROJECTIONS, ends, {
      isShadow: false,
      eventsMax: 5,
      lanesAtOnce: 2,
      signal: new AbortController().signal,
      onApplied: () => undefined,
    });
  }

  /** Throws the projections away and makes them from the log as it is. */
  async projectAgain(): Promise<void> {
    const tables = PROJECTIONS.flatMap(({ tables: own }) => own);
    await this.pool.query(`truncate ${['checkpoint', ...tables].join(', ')}`);
    await this.project();
  }

  /** Makes both chains of a lane fit what is stored: what a clever forger would do. */
  async chainAgain(lane: number): Promise<void> {
    const events = await this.log.read(lane, 0, 10_000);
    const heads = new Map<string, string>();
    let head = FIRST_HEAD;
    for (const { lastPosition, events: count } of await this.log.batches(lane, 0, 10_000)) {
      const own = events.filter(
        ({ position }) => position > lastPosition - count && position <= lastPosition,
      );
      const hashes: string[] = [];
      for (const event of own) {
        const before = heads.get(event.accountId) ?? FIRST_HEAD;
        const hash = hashEvent(before, await this.sealAgain(event, before));
        heads.set(event.accountId, hash);
        hashes.push(hash);
      }
      head = hashBatch(head, hashes);
      await this.sql(
        `update batch set hash = decode($3, 'hex') where lane = $1 and last_position = $2`,
        [lane, lastPosition, head],
      );
    }
    await this.sql(`update lane set head = decode($2, 'hex') where lane = $1`, [lane, head]);
  }

  /** A closed month vouches for the head before it. */
  private async sealAgain(event: StoredEvent, head: string): Promise<StoredEvent> {
    if (event.type !== 'MonthClosed') return event;
    const data = event.data.replace(/"account_head":"[0-9a-f]*"/, `"account_head":"${head}"`);
    await this.sql('update event set data = $3 where lane = $1 and position = $2', [
      event.lane,
      event.position,
      data,
    ]);
    return { ...event, data };
  }

  async write(accountId: string, at: number, command: Command): Promise<string> {
    const before = this.accounts.get(accountId) ?? unopened;
    const { events, refusal, own } = decide(before.state, command, at, terms);
    if (refusal !== null) throw new Error(`The command was refused: ${refusal.reason}.`);
    const callId = randomUUID();
    let account = before;
    const created = events.map((decided, index): NewEvent => {
      const event = withHead(decided, account.head);
      const columns = {
        accountId,
        accountVersion: account.state.version + 1,
        callId: index === own ? callId : null,
        type: event.type,
        at: event.at,
        data: JSON.stringify(event.data),
      };
      const hash = hashEvent(account.head, columns);
      account = { state: evolve(account.state, event), head: hash };
      return { ...columns, hash };
    });
    const [end] = await this.log.ends([laneOf(accountId)]);
    if (end === undefined) throw new Error('The lane has no end.');
    await this.log.append([{ end, events: created }]);
    this.accounts.set(accountId, account);
    return callId;
  }

  /** An account with something of everything, over two windows. */
  private async customer(id: string, hash: string, opening: object): Promise<void> {
    const profiles = new Profiles(this.pool);
    const profile = await profiles.save(randomUUID(), id, { name: 'Nails & Co' });
    const label = await profiles.save(randomUUID(), id, { label: 'laptop' });
    const expiresAt = TUESDAY + 2 * DAY;
    await this.write(id, TUESDAY, openAccount({ profile, ...opening }));
    await this.write(id, TUESDAY, issueApiKey({ hash: hash.repeat(32), profile: label }));
    await this.write(id, TUESDAY, grantCredits(1_000_000, { priority: 200 }));
    await this.write(id, TUESDAY, grantCredits(170_000, { expiresAt }));
    const first = await this.write(id, TUESDAY, callAt(TUESDAY));
    for (const region of ['us', 'us', 'fr', 'us'] as const) {
      await this.write(id, TUESDAY, callAt(TUESDAY, { resource: { ...allBeauty, region } }));
    }
    await this.write(id, TUESDAY, adjust(50_000, { callId: first, charged: 50_000 }));
    await this.write(id, TUESDAY, adjust(-500));
    const later = TUESDAY + 7 * DAY + HOUR;
    const move = {
      command: 'move-test-clock' as const,
      origin: { by: 'o', request: 'r', input: '' },
    };
    if ('testClock' in opening) await this.write(id, later, { ...move, now: later });
    await this.write(id, later, callAt(later));
    await this.write(id, later, callAt(later));
  }
}

import type pg from 'pg';
import { isDistributed } from '#database/cluster/distribute.js';
import { openDatabase } from '#database/database.js';
import { TcpProxy, type ProxyMode } from '../../../test/setup/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { appendAll } from '../../../test/setup/log-steps.js';
import { eventLogContract } from './contract.suite.js';
import { AppendUncertainError } from './event-log.js';
import type { Interruption } from '../test-adapters/memory-event-log.js';
import { PostgresEventLog } from './postgres-event-log.js';
import { raceContract } from './race.suite.js';

const MODES: Readonly<Record<Interruption, ProxyMode>> = {
  unreachable: 'refuse',
  'lost-before-commit': 'cut-request',
  'lost-after-commit': 'cut-answer',
};

describe('the log in PostgreSQL', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  async function emptyLog(pool: pg.Pool): Promise<PostgresEventLog> {
    await pool.query(`with e as (delete from event), b as (delete from batch)
      update lane set position = 0, head = decode(repeat('00', 32), 'hex')`);
    return new PostgresEventLog(pool, database.groups);
  }

  eventLogContract(async () => {
    const proxy = await TcpProxy.start(database.url);
    const pool = openDatabase({ url: proxy.url, applicationName: 'log', connectionsMax: 1 });
    const log = await emptyLog(pool);
    return {
      log,
      interrupt: async (interruption) => {
        // A connection must be open, or it would be its opening that is cut.
        await log.ends([0]);
        const removed = new Promise((resolve) => pool.once('remove', resolve));
        proxy.setMode(MODES[interruption]);
        if (interruption === 'unreachable') await removed;
      },
      restore: async () => proxy.setMode('pass'),
      close: async () => {
        await pool.end();
        await proxy.stop();
      },
    };
  });

  raceContract(async () => {
    const pool = openDatabase({ url: database.url, applicationName: 'race', connectionsMax: 13 });
    return { log: await emptyLog(pool), close: () => pool.end() };
  });

  test('a session ended by the server in an append leaves the append uncertain', async () => {
    const open = (applicationName: string) => openDatabase({ url: database.url, applicationName });
    const [pool, other] = [open('append'), open('other')];
    const blocker = await other.connect();
    try {
      // An index entry that is not committed yet makes the append wait in the middle.
      await emptyLog(other);
      const account = TestAccount.inLane(1);
      const event = account.next();
      await blocker.query('begin');
      await blocker.query(
        `insert into event (position, account_version, at, account_id, lane, type, data)
         values (99, 1, now(), $1, 1, 'Blocker', '{}')`,
        [account.id],
      );
      const appending = appendAll(new PostgresEventLog(pool), [[event]]);
      const refused = expect(appending).rejects.toThrow(AppendUncertainError);
      // In a cluster the lock is waited for elsewhere.
      const isSpread = await isDistributed(other);
      const waits = isSpread ? `query like '%append_lanes%'` : `wait_event_type = 'Lock'`;
      for (let ended = 0; ended === 0;) {
        const { rowCount } = await other.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'append' and state = 'active' and ${waits}`,
        );
        ended = rowCount ?? 0;
      }
      await refused;
      await blocker.query('rollback');
      // What a cluster has handed on may still be written.
      if (isSpread) return;
      expect(
        await new PostgresEventLog(pool).findCalls([{ lane: 1, callId: event.callId ?? '' }]),
      ).toEqual([]);
    } finally {
      blocker.release();
      await Promise.all([pool.end(), other.end()]);
    }
  });
});

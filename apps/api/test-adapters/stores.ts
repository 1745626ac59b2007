import type pg from 'pg';
import { terms } from '#account/scenario.suite.js';
import { foundKey } from '#account/key-directory.js';
import type { Clock } from '#calendar/clock.js';
import { openDatabase } from '#database/database.js';
import type { EventLog } from '#event-log/event-log.js';
import { MemoryEventLog } from '../../../libs/event-log/test-adapters/memory-event-log.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { accountView, present } from '#projections/reads/account-view.js';
import { PostgresAccountReads } from '#projections/reads/postgres-account-reads.js';
import { PostgresInvoiceReads } from '#projections/reads/postgres-invoice-reads.js';
import { Profiles } from '#projections/texts/profiles.js';
import type { AccountReads } from '#projections/views/account-reads.js';
import type { KeyedReads } from '#projections/views/keyed-account.js';
import type { InvoiceReads } from '#projections/views/invoice-reads.js';
import { createTestDatabase } from '../../../test/setup/test-database.js';
import { SimulatedLedger } from '../../../test/simulator/simulated-ledger.js';

/** A log, and what is loaded and read from it. */
export interface Store {
  readonly log: EventLog;
  readonly loader: Pick<AccountLoader, 'load' | 'loadCores' | 'opened'>;
  readonly reads: AccountReads & KeyedReads;
  readonly invoices: InvoiceReads;
  readonly pool: pg.Pool;
  readonly saveProfile?: Profiles['save'];
  close(): Promise<void>;
}

const { calendar } = terms;

/** In memory, where nothing but the account itself is read. */
export function memoryStore(clock: Clock): Store {
  const log = new MemoryEventLog();
  const ledger = new SimulatedLedger(log);
  const accountAndKey: KeyedReads['accountAndKey'] = async (id, keyId) => {
    const loaded = (await ledger.load([id])).accounts.get(id);
    if (loaded === undefined) return undefined;
    const { state, at } = present(loaded.state, clock.now(), calendar);
    const view = accountView(id, undefined, state, at, { calendar, cards: [] });
    return { view, key: foundKey(id, state, keyId) };
  };
  const account: AccountReads['account'] = async (id) => (await accountAndKey(id, ''))?.view;
  const load = ledger.load.bind(ledger);
  return {
    log,
    loader: { load, loadCores: load, opened: ledger.opened.bind(ledger) },
    reads: { account, accountAndKey } as Store['reads'],
    invoices: {} as InvoiceReads,
    // There are no tables: what stands in them is not asked for.
    pool: {} as pg.Pool,
    close: async () => undefined,
  };
}

/** In a database of its own, with all reads. */
export async function postgresStore(clock: Clock): Promise<Store> {
  const database = await createTestDatabase();
  const pool = openDatabase({ url: database.url, applicationName: 'api-spec' });
  const log = new PostgresEventLog(pool, database.groups);
  const profiles = new Profiles(pool);
  const system = new SystemStream(log);
  return {
    log,
    loader: new AccountLoader(pool),
    reads: new PostgresAccountReads(pool, calendar, clock),
    invoices: new PostgresInvoiceReads(pool, system, calendar, clock),
    pool,
    saveProfile: profiles.save.bind(profiles),
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
}

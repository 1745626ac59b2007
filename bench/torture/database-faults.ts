import type { AdminClient } from './admin-client.js';
import type { Customer } from './customers.js';
import type { Database } from './database.js';
import { GivenDatabase } from './given-database.js';
import type { Journal } from './journal.js';
import type { LogBook } from './log-book.js';
import type { SeededRandom } from './seeded.js';
import type { Site } from './site.js';
import type { SmallDisk } from './small-disk.js';

export interface DatabaseFaultParts {
  readonly site: Site;
  /** Its server is the run's own, or somebody else's. */
  readonly database: Database | GivenDatabase;
  readonly random: SeededRandom;
  readonly journal: Journal;
  readonly book: LogBook;
  readonly admin: AdminClient;
  readonly customers: readonly Customer[];
  /** Null where no small file system can be made. */
  readonly disk: SmallDisk | null;
}

/** A fault of the database alone: its process lives, its content or rights change. */
export interface DatabaseFault {
  readonly kind:
    'older database' | 'read-only' | 'full disk' | 'promotion' | 'kill -9 of a database server';
  readonly detail: string;
  readonly run: () => Promise<void>;
}

/** Thrown at a bug: faults of a server are planned only where it is the run's own. */
export function ownServer({ database }: Pick<DatabaseFaultParts, 'database'>): Database {
  if (database instanceof GivenDatabase) throw new Error('The server is somebody else’s.');
  return database;
}

/** One server of a given database is killed and started again. */
export function killServer({ database }: DatabaseFaultParts): DatabaseFault {
  return {
    kind: 'kill -9 of a database server',
    detail: '',
    run: async () => {
      if (database instanceof GivenDatabase) await database.killServer();
    },
  };
}

/** A copy of some seconds ago takes its place. An operator acknowledges what was lost. */
export function olderDatabase(parts: DatabaseFaultParts): DatabaseFault {
  const { random, journal, book, customers } = parts;
  const ms = random.between(1_000, 6_000);
  return {
    kind: 'older database',
    detail: `${ms} ms`,
    run: async () => {
      let endOfTime = (): void => undefined;
      const hasGoneBack = await ownServer(parts).goBack(
        ms,
        () => (endOfTime = journal.lost.begin()),
        () => {
          endOfTime();
          for (const customer of customers) forgetLost(customer, journal);
        },
      );
      if (!hasGoneBack) return;
      book.restart();
      await acknowledge(parts);
    },
  };
}

/** Keys that were issued in the lost time are unknown again, and so are the calls. */
function forgetLost(customer: Customer, journal: Journal): void {
  const lost = journal.changes.filter((change) => journal.mayBeLost(change));
  const ids = new Set(lost.map(({ acknowledged }) => acknowledged));
  customer.keys = customer.keys.filter(({ id }) => !ids.has(id));
  customer.recent.splice(0);
}

async function acknowledge({ admin, journal, site }: DatabaseFaultParts): Promise<void> {
  await site.recovered('an older database');
  const key = `acknowledge-${journal.second}`;
  const body = { reason: 'The database was restored from a copy.' };
  const answer = await admin.until('POST', '/log/acknowledge', body, key, () => true);
  journal.count(`losses acknowledged ${answer?.status}`);
}

export function readOnly(parts: DatabaseFaultParts): DatabaseFault {
  const ms = parts.random.between(500, 9_000);
  const run = async (): Promise<void> => void (await ownServer(parts).readOnly(ms));
  return { kind: 'read-only', detail: `${ms} ms`, run };
}

export function fullDisk(parts: DatabaseFaultParts): DatabaseFault {
  const { random, disk, journal } = parts;
  const ms = random.between(3_000, 12_000);
  return {
    kind: 'full disk',
    detail: `${ms} ms`,
    run: async () => {
      if (disk === null) journal.count('full disks left out');
      else await ownServer(parts).fillDisk(disk, ms);
    },
  };
}

export function promotion(parts: DatabaseFaultParts): DatabaseFault {
  const isStale = parts.random.chance(0.5);
  const run = async (): Promise<void> => void (await ownServer(parts).promote(isStale));
  return { kind: 'promotion', detail: isStale ? 'and the old primary comes back' : '', run };
}

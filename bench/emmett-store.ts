import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type pg from 'pg';

/** Its authors have given it no licence yet: it is fetched to be measured, and never shipped. */
const PACKAGES = {
  '@event-driven-io/dumbo': '0.12.7',
  '@event-driven-io/emmett': '0.42.0',
  '@event-driven-io/emmett-postgresql': '0.42.0',
  '@event-driven-io/pongo': '0.16.11',
  pg: '8.23.1',
};

/** Table of the inline projection. */
export const BALANCES = 'emmett_balance';

export interface EmmettEvent {
  readonly type: string;
  readonly data: object;
}

/** As much of an event store of Emmett as is measured. */
export interface EmmettStore {
  readonly schema: { migrate(): Promise<unknown> };
  appendToStream(stream: string, events: readonly EmmettEvent[]): Promise<unknown>;
}

interface RecordedEvent extends EmmettEvent {
  readonly metadata: { readonly streamName: string };
}

/** Credits that a call has cost. */
export function costOf({ data }: EmmettEvent): number {
  const [callCost, dataCost] = (data as ChargeData).cost;
  return callCost + dataCost;
}

interface Emmett {
  getPostgreSQLEventStore(connectionString: string, options: object): EmmettStore;
  postgreSQLRawSQLProjection(definition: object): object;
}

interface Dumbo {
  readonly sql: (text: string, ...values: unknown[]) => string;
}

interface ChargeData {
  readonly cost: readonly [number, number];
}

/** Emmett with what it needs, in a folder of its own. */
export class EmmettPackages {
  private constructor(
    private readonly emmett: Emmett,
    private readonly dumbo: Dumbo,
  ) {}

  /** Installs it into an empty folder through npm, which needs its registry or its cache. */
  static async install(folder: string): Promise<EmmettPackages> {
    const manifest = path.join(folder, 'package.json');
    await writeFile(manifest, JSON.stringify({ private: true, dependencies: PACKAGES }));
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
    await promisify(execFile)('npm', args, { cwd: folder });
    const { resolve } = createRequire(manifest);
    const load = async (name: string): Promise<unknown> =>
      import(pathToFileURL(resolve(name)).href);
    const emmett = (await load('@event-driven-io/emmett-postgresql')) as Emmett;
    return new EmmettPackages(emmett, (await load('@event-driven-io/dumbo')) as Dumbo);
  }

  /**
   * A store whose appends keep each stream's balance in the same transaction: the cheapest inline
   * projection that it takes, one statement and no document that is read first.
   */
  async open(connectionString: string, pool: pg.Pool): Promise<EmmettStore> {
    const { sql } = this.dumbo;
    const balances = this.emmett.postgreSQLRawSQLProjection({
      name: 'balances',
      canHandle: ['CallMade'],
      init: () =>
        sql(`create table if not exists ${BALANCES} (id text primary key, balance bigint)`),
      evolve: (event: RecordedEvent) =>
        sql(
          `insert into ${BALANCES} as b values (%L, %L)
               on conflict (id) do update set balance = b.balance + excluded.balance`,
          event.metadata.streamName,
          -costOf(event),
        ),
    });
    const store = this.emmett.getPostgreSQLEventStore(connectionString, {
      connectionOptions: { pool },
      schema: { autoMigration: 'None' },
      projections: [{ type: 'inline', projection: balances }],
    });
    await store.schema.migrate();
    return store;
  }
}

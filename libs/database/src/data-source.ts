import type { DataSource } from 'typeorm';
import { ALL_MIGRATIONS } from './migrations/all-migrations.js';
import { settleSession } from './session-settings.js';

/** Table in which the migrations that ran are listed. */
export const MIGRATIONS_TABLE = 'migration';

/**
 * A TypeORM data source that knows the migrations. Not connected yet; the caller destroys it.
 * `url`: as `chosenServer` names it, with the settings of a session: a migration takes its time.
 * TypeORM is loaded here: a process whose database is up to date starts without it.
 */
export async function createDataSource(url: string): Promise<DataSource> {
  const { DataSource: TypeOrm } = await import('typeorm');
  return new TypeOrm({
    type: 'postgres',
    url,
    applicationName: 'popindex migration',
    migrations: [...ALL_MIGRATIONS],
    migrationsTableName: MIGRATIONS_TABLE,
    migrationsTransactionMode: 'each',
    installExtensions: false,
    poolSize: 2,
    extra: { onConnect: settleSession },
  });
}

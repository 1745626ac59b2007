import type { DataSource } from 'typeorm';
import { ALL_MIGRATIONS } from './migrations/all-migrations.js';

/** Table in which the migrations that ran are listed. */
export const MIGRATIONS_TABLE = 'migration';

/**
 * A TypeORM data source that knows the migrations. Not connected yet; the caller destroys it.
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
    // A migration takes as long as it takes, whatever the database allows a statement. As a number
    // the driver would take 0 for nothing and leave it out.
    extra: { statement_timeout: '0', lock_timeout: '0' },
  });
}

import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** The service connects as this user, who cannot change or remove what stands in the log. */
export const SERVICE_USER = 'popindex_service';

/** Of the new user, and of one who had more rights before. */
const RIGHTS = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

/**
 * Makes the user of the service, or takes back its rights and gives it another password: one for
 * each start, kept nowhere but in `postgres.json`. A rebuild asks who still reads, whoever it is,
 * so it may see the statistics. Returns the password.
 */
export async function ensureServiceUser(ownerUrl: string): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const client = new Client({ connectionString: ownerUrl, application_name: 'popindex owner' });
  // A loss also fails the query under way; unheard, the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [
      SERVICE_USER,
    ]);
    const verb = rowCount === 0 ? 'create' : 'alter';
    await client.query(`${verb} role ${SERVICE_USER} ${RIGHTS} password '${password}'`);
    await client.query(`grant pg_read_all_stats to ${SERVICE_USER}`);
    return password;
  } finally {
    await client.end();
  }
}

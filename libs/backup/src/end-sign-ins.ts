import type pg from 'pg';

/**
 * Ends every session and every link that a restore has loaded: one that was ended after the backup
 * was taken would live again.
 */
export async function endSignIns(client: pg.ClientBase): Promise<void> {
  await client.query('delete from console_session');
  await client.query('delete from sign_in_link');
  await client.query(
    `update portal_session set revoked_at = now()
      where revoked_at is null and coalesce(expires_at, link_expires_at) > now() - interval '1 day'`,
  );
}

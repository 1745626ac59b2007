import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { SecretBox } from '#projections/texts/secret-box.js';
import type { SecretReference } from './webhook-events.js';

/** Rows of encrypted secrets, written before the event that names them. */
export class WebhookSecrets {
  constructor(
    private readonly pool: pg.Pool,
    private readonly box: SecretBox,
  ) {}

  async save(secret: string): Promise<SecretReference> {
    const id = randomUUID();
    const body = this.box.encrypt(id, secret);
    const sha256 = createHash('sha256').update(body).digest();
    await this.pool.query('insert into secret (id, body, sha256) values ($1, $2, $3)', [
      id,
      body,
      sha256,
    ]);
    return { id, sha256: sha256.toString('hex') };
  }

  /** Removes rows that nothing is signed with: no event names them, or none does any more. */
  async forget(...secrets: readonly Pick<SecretReference, 'id'>[]): Promise<void> {
    if (secrets.length === 0) return;
    await this.pool.query('delete from secret where id = any ($1::uuid[])', [idsOf(secrets)]);
  }

  /** Removes all rows but these, those of portals' API keys, and new ones without an event yet. */
  async keepOnly(secrets: readonly Pick<SecretReference, 'id'>[]): Promise<void> {
    // A cluster does not change what every server holds by what one of them holds.
    const { rows } = await this.pool.query<{ id: string }>(
      `select id from secret s
        where s.created_at < now() - interval '1 hour' and s.id <> all ($1::uuid[])
          and not exists (select from portal_api_key k where k.secret_id = s.id)`,
      [idsOf(secrets)],
    );
    await this.forget(...rows);
  }

  /**
   * The secrets in clear, in the order asked for; those that are gone are left out. Throws
   * OtherKeyError.
   */
  async read(references: readonly Pick<SecretReference, 'id'>[]): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ id: string; body: Buffer }>({
      name: 'webhook-secrets',
      text: 'select id, body from secret where id = any ($1::uuid[])',
      values: [idsOf(references)],
    });
    const bodies = new Map(rows.map(({ id, body }) => [id, body]));
    return references.flatMap(({ id }) => {
      const body = bodies.get(id);
      return body === undefined ? [] : [this.box.open(id, body)];
    });
  }
}

function idsOf(secrets: readonly Pick<SecretReference, 'id'>[]): string[] {
  return secrets.map(({ id }) => id);
}

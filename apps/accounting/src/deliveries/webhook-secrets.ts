import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { SecretBox } from './secret-box.js';
import type { SecretReference } from './webhook-events.js';

/** The second truth's rows of secrets, written before the event that names them. */
export class WebhookSecrets {
  constructor(
    private readonly pool: pg.Pool,
    private readonly box: SecretBox,
  ) {}

  async save(secret: string): Promise<SecretReference> {
    const id = randomUUID();
    const body = this.box.seal(id, secret);
    const sha256 = createHash('sha256').update(body).digest();
    await this.pool.query('insert into secret (id, body, sha256) values ($1, $2, $3)', [
      id,
      body,
      sha256,
    ]);
    return { id, sha256: sha256.toString('hex') };
  }

  /** Removes a row that no event names. */
  async forget({ id }: Pick<SecretReference, 'id'>): Promise<void> {
    await this.pool.query('delete from secret where id = $1', [id]);
  }

  /** The secrets in clear, in the order asked for. Throws SealedOtherwiseError. */
  async read(references: readonly Pick<SecretReference, 'id'>[]): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ id: string; body: Buffer }>({
      name: 'webhook-secrets',
      text: 'select id, body from secret where id = any ($1::uuid[])',
      values: [references.map(({ id }) => id)],
    });
    const bodies = new Map(rows.map(({ id, body }) => [id, body]));
    return references.map(({ id }) => {
      const body = bodies.get(id);
      if (body === undefined) throw new Error(`The secret ${id} is gone.`);
      return this.box.open(id, body);
    });
  }
}

import type { JsonWebKey } from 'node:crypto';
import type pg from 'pg';
import { OtherKeyError, SecretBox } from '#projections/texts/secret-box.js';

/**
 * The private halves of the keys that sign receipts, encrypted with a secret that every process of
 * the service has. They are in no event and in no backup: one that is lost is replaced.
 */
export class PrivateKeys {
  private readonly box: SecretBox;

  /** `secret`: that of the webhooks' secrets. */
  constructor(
    private readonly pool: pg.Pool,
    secret: string,
  ) {
    this.box = new SecretBox(secret);
  }

  async save(kid: string, privateKey: string): Promise<void> {
    await this.pool.query('insert into receipt_key (kid, private_key) values ($1, $2)', [
      kid,
      this.box.encrypt(kid, privateKey),
    ]);
  }

  /** Undefined where it is gone, or was encrypted with another secret. */
  async find(kid: string): Promise<JsonWebKey | undefined> {
    const { rows } = await this.pool.query<{ body: Buffer }>(
      'select private_key as body from receipt_key where kid = $1',
      [kid],
    );
    const [row] = rows;
    if (row === undefined) return undefined;
    try {
      return JSON.parse(this.box.open(kid, row.body)) as JsonWebKey;
    } catch (error) {
      if (error instanceof OtherKeyError) return undefined;
      throw error;
    }
  }

  /** Removes all but these and those of the last minute, whose events may be on their way. */
  async keepOnly(kids: readonly string[]): Promise<void> {
    await this.pool.query(
      `delete from receipt_key
        where kid <> all ($1::text[]) and made_at < now() - interval '1 minute'`,
      [kids],
    );
  }
}

import type pg from 'pg';
import { momentOfMs, msOfMoment } from '#database/moment-of.js';

/** A token in steady use costs one small write in this time, whichever process it is used with. */
const WRITE_EVERY_MS = 60_000;

/** Last uses of admin tokens, to the minute. No event records them. */
export class TokenUses {
  private readonly written = new Map<string, number>();

  /** `onFault` is called for writes that failed; a request does not wait for them. */
  constructor(
    private readonly pool: pg.Pool,
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** Notes a use at `now`, ms since 1970. */
  note(tokenId: string, now: number): void {
    const last = this.written.get(tokenId);
    if (last !== undefined && now - last < WRITE_EVERY_MS) return;
    this.written.set(tokenId, now);
    this.write(tokenId, now).catch((error: unknown) => {
      this.written.delete(tokenId);
      this.onFault(error);
    });
  }

  /** Moments (ms since 1970) by token; those never used are absent. */
  async read(tokenIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.pool.query<{ id: string; at: number }>(
      `select token_id as id, ${msOfMoment('used_at')} as at
         from admin_token_use where token_id = any ($1::uuid[])`,
      [tokenIds],
    );
    return new Map(rows.map(({ id, at }) => [id, at]));
  }

  private async write(tokenId: string, now: number): Promise<void> {
    await this.pool.query({
      name: 'admin-token-use',
      text: `insert into admin_token_use (token_id, used_at)
             values ($1, ${momentOfMs('$2')})
             on conflict (token_id) do update set used_at = excluded.used_at
              where admin_token_use.used_at < excluded.used_at`,
      values: [tokenId, now],
    });
  }
}

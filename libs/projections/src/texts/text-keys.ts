import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { laneOf } from '#event-log/event-log.js';
import type { LaneHolder } from '#event-log/lane-watch.js';
import { TextKey } from './text-key.js';

interface CachedKey {
  readonly key: TextKey;
  /** By `performance.now()`. */
  readonly until: number;
}

/** So long a key is not asked for again: a database that went back may not know it any more. */
const KNOWN_MS = 10_000;
const KNOWN_MAX = 10_000;
const SECRET_BYTES = 64;
const ID_BYTES = 6;

/** The keys that encrypt the texts of accounts: one each, made with the first text. */
export class TextKeys implements LaneHolder {
  private readonly known = new Map<string, CachedKey>();

  constructor(private readonly pool: pg.Pool) {}

  ends(): [] {
    return [];
  }

  /** A log that went back may know other keys of the lane's accounts, or none. */
  forget(lane: number): void {
    for (const id of this.known.keys()) if (laneOf(id) === lane) this.known.delete(id);
  }

  /** The key of an account where it is at hand, for those that cannot wait. */
  atHand(accountId: string): TextKey | undefined {
    const known = this.known.get(accountId);
    return known !== undefined && known.until > performance.now() ? known.key : undefined;
  }

  /** The key of an account; null: it was destroyed, and no text is kept any more. */
  async of(accountId: string): Promise<TextKey | null> {
    const row = (await this.find(accountId)) ?? (await this.make(accountId));
    if (row.secret === null) return null;
    const key = this.known.get(accountId)?.key ?? new TextKey(row.id, row.secret);
    const same = key.id === row.id ? key : new TextKey(row.id, row.secret);
    if (this.known.size >= KNOWN_MAX) this.known.clear();
    this.known.set(accountId, { key: same, until: performance.now() + KNOWN_MS });
    return same;
  }

  /** Encrypts a text; what is said of an erased account is not kept. */
  async encrypt(accountId: string, text: string): Promise<string> {
    return (await this.of(accountId))?.encrypt(text) ?? '';
  }

  /** Destroys the key of an account, which blanks all that it has encrypted. */
  async erase(accountId: string): Promise<void> {
    await this.make(accountId);
    await this.pool.query('update text_key set secret = null where account_id = $1', [accountId]);
    this.known.delete(accountId);
  }

  private async find(accountId: string): Promise<KeyRow | undefined> {
    const { rows } = await this.pool.query<KeyRow>({
      name: 'text-key-of',
      text: 'select id, secret from text_key where account_id = $1',
      values: [accountId],
    });
    return rows[0];
  }

  private async make(accountId: string): Promise<KeyRow> {
    await this.pool.query({
      name: 'text-key-make',
      text: `insert into text_key (id, account_id, secret) values ($1, $2, $3)
             on conflict (account_id) do nothing`,
      values: [randomBytes(ID_BYTES).toString('base64url'), accountId, randomBytes(SECRET_BYTES)],
    });
    const row = await this.find(accountId);
    if (row === undefined) throw new Error(`Account ${accountId} has no key for its texts.`);
    return row;
  }
}

interface KeyRow {
  readonly id: string;
  readonly secret: Buffer | null;
}

import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { ProfileReference } from '#account/terms.js';
import { foldedName } from '#database/names/folded-names.js';
import type { Buyer, Seller } from '#invoice-rules/invoice.js';
import { SYSTEM_ACCOUNT } from '#event-log/event-log.js';
import { TextKeys } from './text-keys.js';

/** Names, addresses and free texts: the law may want them erased, so they are in no event. */
export interface Profile {
  readonly name?: string;
  /** Of an account: its id in a system of the operator's, and what else they note. */
  readonly external_id?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly label?: string;
  readonly note?: string;
  /** Addresses of a budget's alerts. */
  readonly emails?: readonly string[];
  /** Who sends invoices, and whom an account's are addressed to. */
  readonly seller?: Seller;
  readonly buyer?: Buyer;
  /** Random, of the account: part of what is hashed. Older rows have none. */
  readonly salt?: string;
}

/** SHA-256 over the row's bytes, in hex: what the event names beside the id. */
export function profileReference(id: string, profile: Profile): ProfileReference {
  return { id, sha256: createHash('sha256').update(JSON.stringify(profile)).digest('hex') };
}

/** Rows of names and texts, written before the event that names them. */
export class Profiles {
  private readonly texts: TextKeys;

  constructor(private readonly pool: pg.Pool) {
    this.texts = new TextKeys(pool);
  }

  /** Keeps a profile. Saying the same again changes nothing. */
  async save(id: string, accountId: string, profile: Profile): Promise<ProfileReference> {
    const salted = await this.salted(accountId, profile);
    await this.pool.query(
      `insert into profile (id, account_id, body, sha256, folded) values ($1, $2, $3, $4, $5)
       on conflict (id) do nothing`,
      [
        id,
        accountId,
        JSON.stringify(salted),
        Buffer.from(profileReference(id, salted).sha256, 'hex'),
        foldedName(namesOf(profile)),
      ],
    );
    return this.kept(id);
  }

  /** The reference to a row that is there. */
  async kept(id: string): Promise<ProfileReference> {
    const { rows } = await this.pool.query<{ sha256: string }>(
      `select encode(sha256, 'hex') as sha256 from profile where id = $1`,
      [id],
    );
    const [row] = rows;
    if (row === undefined) throw new Error(`There is no profile ${id}.`);
    return { id, sha256: row.sha256 };
  }

  /**
   * Nobody finds out by trying what an erased row has held: its hash is salted, and the salt is
   * erased too. It is one for all rows of an account, so that the same texts have the same hash.
   * What the service says of itself is never erased.
   */
  private async salted(accountId: string, profile: Profile): Promise<Profile> {
    if (accountId === SYSTEM_ACCOUNT) return profile;
    const key = await this.texts.of(accountId);
    return key === null ? profile : { ...profile, salt: key.salt };
  }

  /** Ids of all rows that an account has. */
  async idsOf(accountId: string): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      'select id from profile where account_id = $1 order by id',
      [accountId],
    );
    return rows.map(({ id }) => id);
  }

  /** Blanks all rows of an account. Doing it again changes nothing. */
  async erase(accountId: string): Promise<void> {
    await this.pool.query(
      `update profile set body = '{}', folded = ''
        where account_id = $1 and (body::text <> '{}' or folded <> '')`,
      [accountId],
    );
  }
}

/** Names by which an account is searched, as `PROFILES` of the database reads them from a row. */
function namesOf({ external_id: externalId, name, buyer }: Profile): string {
  return [externalId, name, buyer?.name, buyer?.email].filter(Boolean).join(' ');
}

/** Profiles by id, read on a connection of the caller's; erased or unknown ones are absent. */
export async function findProfiles(
  client: pg.ClientBase | pg.Pool,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Profile>> {
  const { rows } = await client.query<{ id: string; body: Profile }>(
    'select id, body from profile where id = any($1::uuid[])',
    [ids],
  );
  return new Map(rows.map(({ id, body }) => [id, body]));
}

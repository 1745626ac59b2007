import type pg from 'pg';
import type { CallFilter } from '../views/account-reads.js';
import { TextKey } from '../texts/text-key.js';

type Tag = NonNullable<CallFilter['tag']>;

/** A tag as calls of an account may hold it: in plain text, and as its key encrypts it. */
export async function encryptedTag(
  client: pg.ClientBase,
  accountId: string,
  { name, value }: Tag,
): Promise<readonly Tag[]> {
  const { rows } = await client.query<{ id: string; secret: Buffer }>({
    name: 'text-key-in-use',
    text: 'select id, secret from text_key where account_id = $1 and secret is not null',
    values: [accountId],
  });
  const keys = rows.map(({ id, secret }) => new TextKey(id, secret));
  return [
    { name, value },
    ...keys.map((key) => ({ name: key.encrypt(name), value: value && key.encrypt(value) })),
  ];
}

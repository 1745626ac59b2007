import type pg from 'pg';
import { KEY_ID_LENGTH, TextKey } from './text-key.js';

/** A token among the strings of a JSON text: the key's id, what it has encrypted. */
const TOKEN = new RegExp(`"~([\\w-]{${KEY_ID_LENGTH}})([\\w-]{16,})"`, 'g');

type Keys = ReadonlyMap<string, TextKey>;

/**
 * Stored events, or rows with the JSON text of one, with the texts that were encrypted in them.
 * What was erased is blank; what a log from before texts were encrypted holds stays as it is.
 */
export async function readable<Row extends { readonly data: string }>(
  db: pg.Pool | pg.ClientBase,
  rows: readonly Row[],
): Promise<Row[]> {
  const ids = new Set(rows.flatMap(({ data }) => keyIdsIn(data)));
  if (ids.size === 0) return [...rows];
  const keys = await readKeys(db, [...ids]);
  return rows.map((row) => ({ ...row, data: opened(row.data, keys) }));
}

/** Any value of JSON with the texts that were encrypted in it. */
export async function readableValue<Value>(
  db: pg.Pool | pg.ClientBase,
  value: Value,
): Promise<Value> {
  const [row] = await readable(db, [{ data: JSON.stringify(value) }]);
  return JSON.parse(row?.data ?? 'null') as Value;
}

/** Any value of JSON with the texts that one key has encrypted in it; null: they are blank. */
export function openedWith<Value>(key: TextKey | null, value: Value): Value {
  const keys = new Map(key === null ? [] : [[key.id, key] as const]);
  return JSON.parse(opened(JSON.stringify(value), keys)) as Value;
}

function keyIdsIn(data: string): string[] {
  if (!data.includes('"~')) return [];
  return [...data.matchAll(TOKEN)].map(([, id = '']) => id);
}

async function readKeys(db: pg.Pool | pg.ClientBase, ids: readonly string[]): Promise<Keys> {
  const { rows } = await db.query<{ id: string; secret: Buffer }>({
    name: 'text-keys',
    text: 'select id, secret from text_key where id = any ($1) and secret is not null',
    values: [ids],
  });
  return new Map(rows.map(({ id, secret }) => [id, new TextKey(id, secret)]));
}

function opened(data: string, keys: Keys): string {
  let isBlank = false;
  const text = data.replace(TOKEN, (_token, id: string, encrypted: string) => {
    const plain = keys.get(id)?.open(encrypted) ?? '';
    isBlank ||= plain === '';
    return JSON.stringify(plain);
  });
  return isBlank ? JSON.stringify(JSON.parse(text, withoutBlankNames)) : text;
}

/** A tag whose name was erased is none. */
function withoutBlankNames(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== ''));
}

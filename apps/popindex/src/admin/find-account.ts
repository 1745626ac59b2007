import type { Connection } from '#client/connection.js';
import { Listing, type Page } from '#client/listing.js';
import { StartupError } from '#web/startup-error.js';
import { isUuid } from '#web/uuid.js';
import { printable } from './render.js';

interface KnownAccount {
  readonly id: string;
  readonly name: string | null;
  readonly external_id?: string | null;
  readonly status: string;
}

/** The longest name or external id of an account. */
const TEXT_LENGTH_MAX = 200;
const PAGE = 1_000;
const SHOWN_MAX = 10;

/** The parameter or member that names an account, in every command. */
export const ACCOUNT = 'account_id';

/** Words for that which may be typed for it. */
export const ACCOUNT_WORDS = 'id, external id or name of the account';

/**
 * The id of the account that a text names: its id, its external id, or its whole name. Throws
 * StartupError with the candidates where it names none or several.
 */
export async function findAccount(admin: Pick<Connection, 'json'>, text: string): Promise<string> {
  if (isUuid(text)) return text;
  const alike = text.length <= TEXT_LENGTH_MAX ? await accountsLike(admin, text) : [];
  const named = alike.filter(({ name, external_id }) => name === text || external_id === text);
  const [one] = named;
  if (one !== undefined && named.length === 1) return one.id;
  const [fault, candidates] =
    named.length > 1
      ? [`"${text}" names ${named.length} accounts: use an id`, named]
      : [`no account has the id, external id or name "${text}"`, alike];
  const shown = candidates.slice(0, SHOWN_MAX).map(lineOf);
  const more = candidates.length > SHOWN_MAX ? [`… and ${candidates.length - SHOWN_MAX} more`] : [];
  const similar = named.length === 0 && shown.length > 0 ? '. Similar ones' : '';
  const first = `popindex: ${fault}${similar}${shown.length > 0 ? ':' : '.'}`;
  const lines = [first, ...[...shown, ...more].map((line) => `  ${line}`)];
  throw new StartupError(lines.map(printable).join('\n'));
}

/** All whose name or external id holds the words of a text, and the one with that external id. */
async function accountsLike(
  admin: Pick<Connection, 'json'>,
  text: string,
): Promise<readonly KnownAccount[]> {
  const query = (after: string | undefined) => ({ search: text, limit: PAGE, after });
  const listed = new Listing<KnownAccount>(undefined, (after) =>
    admin.json<Page<KnownAccount>>({ path: '/accounts', query: query(after) }),
  );
  const own = await admin.json<Page<KnownAccount>>({
    path: '/accounts',
    query: { external_id: text },
  });
  const found = [...own.items, ...(await listed.all())];
  return [...new Map(found.map((account) => [account.id, account])).values()];
}

function lineOf({ id, name, external_id: externalId, status }: KnownAccount): string {
  const outside = externalId === null || externalId === undefined ? [] : [externalId];
  return [id, name ?? '(erased)', ...outside, status].join('  ');
}

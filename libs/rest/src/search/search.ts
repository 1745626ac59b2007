import type pg from 'pg';
import { formatMoment } from '#calendar/instant.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { askOf, FOLDED_WORDS, foldNames, PROFILES } from '#database/names/folded-names.js';
import { findProfiles } from '#projections/texts/profiles.js';
import { searchTerms, type SearchTerms } from './search-terms.js';
import type { SearchHit } from './search.schemas.js';
import { ALL_LANES, LANES_OF_ACCOUNTS } from '#event-log/event-log.js';
import { queryByLane } from '#event-log/query-by-lane.js';

/** Items of each kind. */
const ITEMS_MAX = 10;
/** Rows of names that are looked through: those of before are among them. */
const ROWS_MAX = 100;

type Hit = Omit<SearchHit, 'account_name'>;
interface AccountHit extends Hit {
  /** The row that holds what was found; null: it was found by its id. */
  readonly profile: string | null;
}
type AccountRow = Omit<AccountHit, 'type' | 'text'>;
type KnownAccounts = Awaited<ReturnType<AccountLoader['loadCores']>>['accounts'];

/** Finds things of accounts by what people know of them. No search walks the log. */
export class Search {
  constructor(
    private readonly pool: pg.Pool,
    private readonly loader: AccountLoader,
  ) {}

  async search(text: string): Promise<readonly SearchHit[]> {
    const terms = searchTerms(text);
    const [accounts, members, events, documents] = await Promise.all([
      this.accounts(terms),
      this.members(terms),
      this.events(terms),
      this.documents(terms),
    ]);
    const ids = [...accounts, ...members, ...events, ...documents].map((hit) => hit.account_id);
    const { accounts: known } = await this.loader.loadCores([...new Set(ids)]);
    const names = await this.namesOf(known);
    const present = new Map(
      accounts.filter((hit) => isPresent(hit, known)).map((hit) => [hit.id, hit]),
    );
    const own = [...present.values()].slice(0, ITEMS_MAX).map(({ profile: _profile, ...hit }) => {
      return { ...hit, text: names.get(hit.id) ?? hit.id };
    });
    return [...own, ...members, ...events, ...documents].map((hit) => {
      return { ...hit, account_name: names.get(hit.account_id) ?? null };
    });
  }

  /** By id, or by words of their names, external ids and billing details. */
  private async accounts({ id, ids, words }: SearchTerms): Promise<readonly AccountHit[]> {
    const range = id === null ? ids : ([id, id] as const);
    const found = await Promise.all([this.accountsById(range), this.accountsByWords(words)]);
    return found.flat().map((row) => ({ type: 'account', text: '', ...row }));
  }

  private async accountsById(range: SearchTerms['ids']): Promise<readonly AccountRow[]> {
    if (range === null) return [];
    const rows = await queryByLane<AccountRow>(
      this.pool,
      LANES_OF_ACCOUNTS,
      (lane) => lane,
      (lanes) => ({
        name: 'search-accounts-by-id',
        text: `select found.account_id as id, found.account_id, null as detail, null as profile
                 from unnest($3::int2[]) as wanted (lane)
                cross join lateral (
                  select account_id from ledger_account a
                   where a.lane = wanted.lane and a.account_id between $1 and $2
                   order by account_id limit ${ITEMS_MAX}) found
                limit ${ITEMS_MAX}`,
        values: [...range, lanes],
      }),
    );
    return rows.slice(0, ITEMS_MAX);
  }

  private async accountsByWords(words: string): Promise<readonly AccountRow[]> {
    if (words === '') return [];
    await foldNames(askOf(this.pool), PROFILES);
    const { rows } = await this.pool.query<AccountRow>({
      name: 'search-accounts-by-words',
      text: `select account_id as id, account_id,
                    coalesce(body ->> 'external_id', body -> 'buyer' ->> 'email') as detail,
                    id as profile
               from profile where ${FOLDED_WORDS} @@ $1::tsquery
              limit ${ROWS_MAX}`,
      values: [words],
    });
    return rows;
  }

  private async members({ words }: SearchTerms): Promise<readonly Hit[]> {
    if (words === '') return [];
    const { rows } = await this.pool.query<Hit>({
      name: 'search-members',
      text: `select 'member' as type, id, account_id, email as text, role as detail
               from account_member where text_words(email) @@ $1::tsquery
              order by lower(email), id limit ${ITEMS_MAX}`,
      values: [words],
    });
    return rows;
  }

  /** Calls and API keys by id and the beginning of it, and keys by their end. */
  private async events({ id, ids, keyEnd }: SearchTerms): Promise<readonly Hit[]> {
    const rows = await queryByLane<EventRow>(
      this.pool,
      ALL_LANES,
      (lane) => lane,
      (lanes) => ({
        name: 'search-events',
        text: `(select ${EVENT} from event e
                 where e.lane = any ($3::int2[]) and e.call_id = $1
                   and e.type in ('CallMade', 'ApiKeyIssued'))
               union all
               (select ${EVENT} from event e
                 where e.type = 'ApiKeyIssued' and e.data ->> 'last_four' = $2
                 order by e.at desc limit ${ITEMS_MAX})
               union all
               (select begun.*
                  from unnest($3::int2[]) as wanted (lane)
                 cross join lateral (
                   select ${EVENT} from event e
                    where e.lane = wanted.lane and e.call_id between $4 and $5
                      and e.type in ('CallMade', 'ApiKeyIssued')
                    order by e.call_id limit ${ITEMS_MAX}) begun
                 order by begun.id limit ${ITEMS_MAX})`,
        values: [id, keyEnd, lanes, ...(ids ?? [null, null])],
      }),
    );
    const isById = ({ id: of }: EventRow): boolean =>
      of === id || (ids !== null && of >= ids[0] && of <= ids[1]);
    const found = rows
      .filter(isById)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .slice(0, ITEMS_MAX);
    const ending = rows
      .filter((row) => !isById(row))
      .toSorted((one, other) => other.at.getTime() - one.at.getTime())
      .slice(0, ITEMS_MAX);
    return [...found, ...ending].map(({ type, id: callId, account_id, at, end }) => {
      const detail = formatMoment(at.getTime());
      const of = { account_id, detail };
      if (type === 'CallMade') return { ...of, type: 'call', id: callId, text: callId };
      return { ...of, type: 'api_key', id: callId, text: `…${end}` };
    });
  }

  /** Invoices and credit notes by number or id. */
  private async documents(terms: SearchTerms): Promise<readonly Hit[]> {
    const { id, numbers, numberStart: start } = terms;
    const { rows } = await this.pool.query<Hit>({
      name: 'search-documents',
      text: `(select n.type, n.document_id as id, n.account_id, n.number as text, null as detail
                from invoice_number n where n.document_id = $1)
             union all
             (select n.type, n.document_id, n.account_id, n.number, null
                from invoice_number n
               where n.number = any ($2) or (n.number >= $3 and n.number < $3 || '~')
               order by n.number limit ${ITEMS_MAX})
             union all
             (select 'invoice', h.document_id, h.account_id, h.month, 'held'
                from held_invoice h where h.document_id = $1
                 and not exists (select from invoice_number n where n.document_id = $1))`,
      values: [id, numbers, start],
    });
    return rows;
  }

  private async namesOf(known: KnownAccounts): Promise<ReadonlyMap<string, string | undefined>> {
    const opened = [...known.values()].filter(({ state }) => state.version > 0);
    const rows = await findProfiles(
      this.pool,
      opened.map(({ state }) => state.profile),
    );
    return new Map([...known].map(([id, { state }]) => [id, rows.get(state.profile)?.name]));
  }
}

const EVENT = `e.type, e.call_id as id, e.account_id, e.at,
  case when e.type = 'ApiKeyIssued' then e.data ->> 'last_four' end as "end"`;

interface EventRow {
  readonly type: 'CallMade' | 'ApiKeyIssued';
  readonly id: string;
  readonly account_id: string;
  readonly at: Date;
  readonly end: string | null;
}

/** Whether the account still has the row that was found. */
function isPresent({ id, profile }: AccountHit, known: KnownAccounts): boolean {
  const state = known.get(id)?.state;
  if (state === undefined || state.version === 0) return false;
  return profile === null || profile === state.profile || profile === state.billing.profile?.id;
}

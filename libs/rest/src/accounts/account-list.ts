import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { withTransaction } from '#database/database.js';
import { askOf, foldNames, PROFILES, searchPatterns } from '#database/names/folded-names.js';
import { loadAccounts } from '#projections/loading/account-loader.js';
import { BadCursorError } from '#web/read-errors.js';
import type { AccountView } from '#projections/views/account-reads.js';
import type { Table } from '#web/table-answer.js';
import type { AccountFilter } from './account-filter.js';
import { accountView, present } from '#projections/reads/account-view.js';
import type { CardSource } from '#projections/reads/known-cards.js';
import { decodeCursor, encodeCursor } from '#web/cursor.js';
import { comparisonFor } from '#projections/views/pages.js';
import { findProfiles } from '#projections/texts/profiles.js';
import { isUuid } from '#web/uuid.js';
import { LANES_OF_ACCOUNTS } from '#event-log/event-log.js';
import { queryByLane } from '#event-log/query-by-lane.js';

/** All accounts by id: the ledger's rows say which, each is shown as it stands now. */
export class AccountList {
  constructor(
    private readonly pool: pg.Pool,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
    private readonly cards: CardSource,
  ) {}

  /** Throws BadCursorError. */
  async read(filter: AccountFilter): Promise<Table<AccountView>> {
    if (filter.search !== undefined) await foldNames(askOf(this.pool), PROFILES);
    return withTransaction(
      this.pool,
      async (client) => {
        const found = await findIds(client, filter);
        const ids = found.slice(0, filter.limit);
        const last = found.length > filter.limit ? ids.at(-1) : undefined;
        return {
          items: await this.show(client, ids, filter),
          next: last === undefined ? null : encodeCursor(last),
        };
      },
      'repeatable read',
    );
  }

  private async show(
    client: pg.ClientBase,
    ids: readonly string[],
    filter: AccountFilter,
  ): Promise<AccountView[]> {
    const { calendar, clock } = this;
    const { accounts } = await loadAccounts(client, ids, false);
    const now = clock.now();
    const terms = { calendar, cards: await this.cards() };
    const shown = [...accounts].map(([id, { state }]) => {
      const { at, state: current } = present(state, now, calendar);
      return { id, at, state: current };
    });
    const profiles = await findProfiles(
      client,
      shown.map(({ state }) => state.profile),
    );
    return shown
      .map(({ id, at, state }) => {
        return accountView(id, profiles.get(state.profile), state, at, terms);
      })
      .filter((view) => isWanted(view, filter));
  }
}

/** The rows that were searched may lag behind what is shown. */
function isWanted(view: AccountView, { status, external_id: externalId }: AccountFilter): boolean {
  if (status !== undefined && view.status !== status) return false;
  return externalId === undefined || view.external_id === externalId;
}

/** One more id than the page holds, if there is one. Each lane is asked by its index. */
async function findIds(client: pg.ClientBase, filter: AccountFilter): Promise<string[]> {
  const { after, limit, test, status, search, external_id: externalId, order } = filter;
  const rows = await queryByLane<{ id: string }>(
    client,
    LANES_OF_ACCOUNTS,
    (lane) => lane,
    (lanes) => ({
      name: `account-list-${order}`,
      text: `select found.account_id as id
             from unnest($7::int2[]) as wanted (lane)
            cross join lateral (
              select a.account_id from ledger_account a
               where a.lane = wanted.lane and ($1::uuid is null or a.account_id ${comparisonFor(order)} $1)
                 and ($3::boolean is null or (a.state ->> 'test')::boolean = $3)
                 and ($4::text is null or $4 = case
                       when a.state ->> 'closedAt' is not null then 'closed'
                       when (a.state ->> 'suspended')::boolean then 'suspended'
                       else 'active' end)
                 and ($5::text is null or starts_with(a.account_id::text, $5) or exists (
                       select from profile p where p.id = (a.state ->> 'profile')::uuid
                          and cardinality($8::text[]) > 0 and p.folded like all ($8)))
                 and ($6::text is null or a.account_id = (
                       select account_id from account_external_id where external_id = $6))
               order by a.account_id ${order} limit $2) found
            order by found.account_id ${order} limit $2`,
      values: [
        after === undefined ? null : decodeId(after),
        limit + 1,
        test ?? null,
        status ?? null,
        search?.toLowerCase() ?? null,
        externalId ?? null,
        lanes,
        searchPatterns(search ?? ''),
      ],
    }),
  );
  const sign = order === 'asc' ? 1 : -1;
  const ids = rows.map(({ id }) => id);
  return ids.toSorted((one, other) => (one < other ? -sign : sign)).slice(0, limit + 1);
}

function decodeId(cursor: string): string {
  const id = decodeCursor(cursor);
  if (!isUuid(id)) throw new BadCursorError(cursor);
  return id;
}

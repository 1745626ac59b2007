import type pg from 'pg';
import type { PlacedEvent } from '#projections/events/month-events.js';
import { openMonth } from '#account/months.js';
import { worthOf } from '#account/rounding.js';
import type { AccountState } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import { queryAllLanes } from '#event-log/query-by-lane.js';
import { readChanges } from '#projections/events/month-events.js';
import { loadAccounts } from '#projections/loading/account-loader.js';
import { withAccountNames } from '#projections/reads/account-names.js';
import type { Summary } from './summary.schemas.js';

const AT_ONCE = 500;
const NAMED_MAX = 10;

/** Ids of all customers, and of all test accounts. */
export interface AccountIds {
  readonly customers: readonly string[];
  readonly tests: readonly string[];
}

/** Sums of the present states of accounts. */
export interface AccountSums extends Pick<
  Summary,
  'without_credits' | 'open_disputes' | 'credits'
> {
  /** Value of purchased credits that are left, net in minor units, by currency. */
  readonly liabilities: ReadonlyMap<string, number>;
}

/** Accounts as rows have them. */
export async function readAccountIds(client: pg.ClientBase): Promise<AccountIds> {
  const rows = await queryAllLanes<{ readonly id: string; readonly test: boolean }>(client, {
    name: 'summary-accounts',
    text: `select account_id as id, (state ->> 'test')::boolean as test
             from ledger_account order by account_id`,
  });
  const idsOf = (test: boolean) => rows.filter((row) => row.test === test).map(({ id }) => id);
  return { customers: idsOf(false), tests: idsOf(true) };
}

/** Sums over accounts as they stand now, each in the running month of its own clock. */
export async function readAccountSums(
  client: pg.ClientBase,
  calendar: Calendar,
  now: number,
  ids: readonly string[],
): Promise<AccountSums> {
  const without: string[] = [];
  const credits = { month: calendar.monthAt(now).label, sold: 0, used: 0, left: 0 };
  const disputes = { disputes: 0, accounts: 0 };
  const liabilities = new Map<string, number>();
  for (let first = 0; first < ids.length; first += AT_ONCE) {
    const { accounts } = await loadAccounts(client, ids.slice(first, first + AT_ONCE), false);
    const sold = await readSold(client, calendar, now, accounts);
    for (const [id, { state }] of accounts) {
      if (isWithoutCredits(state)) without.push(id);
      const open = state.disputes?.length ?? 0;
      disputes.disputes += open;
      if (open > 0) disputes.accounts += 1;
      credits.sold += sold.get(id) ?? 0;
      const month = openMonth(state, calendar)?.label;
      if (month === monthOf(state, calendar, now).label) credits.used += state.monthUse.credits;
      for (const { kind, left, worth } of state.grants) {
        if (kind !== 'purchased') continue;
        credits.left += left;
        if (worth === undefined) continue;
        const value = worthOf(worth, left);
        liabilities.set(state.currency, (liabilities.get(state.currency) ?? 0) + value);
      }
    }
  }
  const named = without.slice(0, NAMED_MAX).map((id) => ({ account_id: id }));
  const without_credits = {
    accounts: without.length,
    first: await withAccountNames(client, named),
  };
  return { without_credits, open_disputes: disputes, credits, liabilities };
}

/** Whether an open account can pay for no call. */
function isWithoutCredits({ closedAt, overdraft, balance }: AccountState): boolean {
  return closedAt === null && overdraft !== null && balance + overdraft <= 0;
}

function monthOf({ testClock }: AccountState, calendar: Calendar, now: number) {
  return calendar.monthAt(testClock ?? now);
}

/** Credits that accounts purchased in the running month, without those that were voided since. */
async function readSold(
  client: pg.ClientBase,
  calendar: Calendar,
  now: number,
  accounts: ReadonlyMap<string, { readonly state: AccountState }>,
): Promise<ReadonlyMap<string, number>> {
  const ranges = [...accounts].map(([accountId, { state }]) => ({
    accountId,
    first: (state.lastClose?.version ?? 0) + 1,
    last: Number.MAX_SAFE_INTEGER,
  }));
  const changes = await readChanges(client, ranges, ['CreditsGranted', 'GrantVoided']);
  return new Map(
    [...accounts].map(([id, { state }]) => {
      const { startsAt } = monthOf(state, calendar, now);
      const made = (changes.get(id) ?? []).filter(({ event }) => event.at >= startsAt);
      return [id, soldIn(made)];
    }),
  );
}

function soldIn(changes: readonly PlacedEvent[]): number {
  const left = new Map<number, number>();
  for (const { event } of changes) {
    if (event.type === 'CreditsGranted' && event.data.kind === 'purchased') {
      left.set(event.data.grant, event.data.credits);
    }
    if (event.type !== 'GrantVoided') continue;
    const { grant, credits } = event.data;
    const before = left.get(grant);
    if (before !== undefined) left.set(grant, before - credits);
  }
  return [...left.values()].reduce((sum, credits) => sum + credits, 0);
}

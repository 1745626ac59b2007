import type { Calendar } from '#calendar/calendar.js';
import { CALL_COLUMNS, GRANT_CALL_COLUMNS, usageColumns, WINDOW_COLUMNS } from './usage-columns.js';
import { usageQueries, type Asked } from './usage-queries.js';
import { ok, page, table } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { ACCOUNT_READ, STAFF_READ } from '../operation/permissions.js';
import { PAGE } from '../operation/queries.js';
import { Call, CallExplanation, Event, GrantCall, Usage, WindowKey } from './usage.schemas.js';
import { AccountUsage } from './usage.js';

const ACCOUNT = '/accounts/{account_id}';

const { read } = operationsOf<AccountUsage>('Usage');

const windows = read({
  id: 'listWindows',
  path: `${ACCOUNT}/windows`,
  summary: 'State of each key called in a window',
  description:
    'In the order of the keys, or the most expensive first: one row for each key that was called in the window: its first call, the number of calls ' +
    'and their credits. A key that is listed is paid: another call of it in that window costs ' +
    'the repeat fee.',
  access: ACCOUNT_READ,
  query: (calendar: Calendar) => usageQueries(calendar).windows,
  answer: table(WindowKey, () => WINDOW_COLUMNS),
  run: (usage, { path, query }) => ({ view: usage.windows(path.account_id, query) }),
});

const sums = read({
  id: 'sumUsage',
  path: `${ACCOUNT}/usage`,
  summary: 'Sums of calls by what they are grouped by',
  description:
    'Number and cost of calls, grouped by any of day, window, month, resource, region, rule, ' +
    'kind, API key, key and tags (`by=day,resource`), and in the order of these. `by=tag:team` groups by ' +
    'the values of the tag `team`, with one sum of the calls without it; `by=tags` by all tags of a call ' +
    'together. Each call counts in one sum, so all sums add up to those of the calls. Without `by` ' +
    'there is one sum of all.',
  access: ACCOUNT_READ,
  query: (calendar: Calendar) => usageQueries(calendar).usage,
  answer: table(Usage, ({ by }: Pick<Asked<'usage'>, 'by'>) => usageColumns(by), {
    by: ['day', 'resource'],
  }),
  cli: {
    name: 'usage list',
    description: 'sums of the calls of an account',
    example: 'Acme --by month,resource --from 2026-11-01',
    flags: { by: '--by <list>' },
  },
  run: (usage, { path, query }) => ({ view: usage.usage(path.account_id, query) }),
});

const calls = read({
  id: 'listCalls',
  path: `${ACCOUNT}/calls`,
  summary: 'Calls of an account',
  description:
    'Oldest first. As CSV and without a `limit` all of them; a connection that ends early means that rows are missing.',
  access: ACCOUNT_READ,
  query: (calendar: Calendar) => usageQueries(calendar).calls,
  answer: table(Call, () => CALL_COLUMNS),
  run: (usage, { path, query }) => ({ view: usage.calls(path.account_id, query) }),
});

const grantCalls = read({
  id: 'listGrantCalls',
  path: `${ACCOUNT}/grants/{grant_id}/calls`,
  summary: 'Calls that drew on a grant',
  description:
    'Oldest first, each with the credits that it drew on this grant (`credits_drawn`). A call may ' +
    'draw on several grants.',
  access: { ...STAFF_READ, scope: 'account:read' },
  query: (calendar: Calendar) => usageQueries(calendar).calls,
  answer: table(GrantCall, () => GRANT_CALL_COLUMNS),
  run: (usage, { path, query }) => ({
    view: usage.grantCalls(path.account_id, path.grant_id, query),
  }),
});

const events = read({
  id: 'listEvents',
  path: `${ACCOUNT}/events`,
  summary: 'The raw log of an account',
  description:
    'Every event of the account as the log holds it, oldest first. Use it where a list does ' +
    'not show enough, and to check the chain of the account.',
  access: STAFF_READ,
  query: PAGE,
  answer: page(Event),
  run: async (usage, { path, query }) => ({ view: await usage.events(path.account_id, query) }),
});

const explain = read({
  id: 'explainCall',
  path: '/calls/{call_id}',
  summary: 'Why a call cost what it cost',
  description:
    'Names the window in UTC and local time, the call that opened the key, the rate card and ' +
    'its rule, the rows, the grants that were drawn, the balance before and after, the place ' +
    'in the log, and the invoice line.',
  access: ACCOUNT_READ,
  answer: ok(CallExplanation),
  cli: {
    name: 'call show',
    description: 'why a call cost what it cost',
    example: '0198…',
  },
  run: async (usage, { path, account }) => ({ view: await usage.explain(account, path.call_id) }),
});

/** Usage of accounts: calls, sums and explanations. */
export const USAGE: Resource = {
  service: AccountUsage,
  operations: [windows, sums, calls, grantCalls, events, explain],
};

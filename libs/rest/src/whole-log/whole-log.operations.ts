import { negotiate } from '#web/table-answer.js';
import { sending, table } from '../operation/answer.js';
import { exampleOf } from '../operation/examples.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { STAFF_READ } from '../operation/permissions.js';
import { CALL_COLUMNS } from '../usage/usage-columns.js';
import {
  AccountCall,
  AllUsage,
  callsQuery,
  FEED_QUERY,
  LogEvent,
  sumsQuery,
} from './whole-log.schemas.js';
import { sumsColumns, WholeLog } from './whole-log.js';

const NDJSON = 'application/x-ndjson';
const END = '{"next":"YWxsLWV2ZW50cyAw"}';

const { read } = operationsOf<WholeLog>('Usage');

const calls = read({
  id: 'listAllCalls',
  path: '/calls',
  summary: 'Calls of all accounts',
  description:
    'Oldest first, merged by moment, with the filters of the calls of one account; a tag can be asked for with ' +
    '`account_id`. As CSV and without a `limit` all of them. A filter that few calls meet looks at ' +
    'many.',
  access: STAFF_READ,
  query: callsQuery,
  answer: table(AccountCall, () => [
    { name: 'account_id', cell: (call) => call.account_id },
    ...CALL_COLUMNS,
    { name: 'account_name', cell: (call) => call.account_name },
  ]),
  run: (log, { query }) => ({ view: log.calls(query) }),
});

const sums = read({
  id: 'sumAllUsage',
  path: '/usage',
  summary: 'Sums of the calls of all accounts',
  description:
    'Number and cost of calls on whole days of the billing zone, grouped by any of account, day, ' +
    'window, month, resource, region, rule and kind, and in the order of these. Test accounts count unless `test=false`.',
  access: STAFF_READ,
  query: sumsQuery,
  answer: table(
    AllUsage,
    ({ by }: { readonly by: Parameters<typeof sumsColumns>[0] }) => sumsColumns(by),
    {
      by: ['account', 'day', 'resource'],
    },
  ),
  waitsFor: () => 'ledger',
  cli: {
    name: 'usage all',
    description: 'sums of the calls of all accounts',
    example: '--by account,month --from 2026-11-01 --test false',
    flags: { by: '--by <list>', test: '--test <true|false>' },
  },
  run: (log, { query }) => ({ view: log.usage(query) }),
});

const events = read({
  id: 'listAllEvents',
  path: '/events',
  summary: 'The log of all accounts and the service, from a place on',
  description:
    'One event on a line, and on the last one `next`: the `after` of the request that goes on ' +
    'behind them. An answer without its last line was broken off: ask again. Each event is in the ' +
    'order of its account and of its `lane`, and `lane` and `position` name it for ever. An answer ' +
    'that holds no event has come to the end for now.',
  access: STAFF_READ,
  query: FEED_QUERY,
  answer: sending(null, [NDJSON], {
    [NDJSON]: `${JSON.stringify(exampleOf(LogEvent))}\n${END}\n`,
  }),
  run: (log, { query }) => ({
    view: async (request, reply) => {
      negotiate(request, [NDJSON]);
      await log.sendEvents(query, reply);
    },
  }),
});

/** Calls, sums and events of all accounts, for operators. */
export const WHOLE_LOG: Resource = { service: WholeLog, operations: [calls, sums, events] };

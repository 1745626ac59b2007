import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { csvHeader, csvRows, csvTable, type Column } from '#web/csv.js';
import { LIST_QUERY } from '#web/query.js';
import { CSV, negotiate, NO_STORE, sendJson } from '#web/table-answer.js';
import { ok, page, table, type Answer } from '../operation/answer.js';
import { exampleOf } from '../operation/examples.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { ACCOUNT_READ } from '../operation/permissions.js';
import { PAGE } from '../operation/queries.js';
import { sentLog } from './read-log.js';
import {
  LogDifference,
  Reconciliation,
  ReconciliationSums,
  reconciliationQuery,
} from './reconciliation.schemas.js';
import { Reconciliations, type ReconciliationResult } from './reconciliations.js';

const PATH = '/accounts/{account_id}/reconciliations';
const SHOWN_MAX = 1_000;
/** Rows that are written without a break. */
const PIECE_ROWS = 200;

const COLUMNS: readonly Column<LogDifference>[] = [
  { name: 'kind', cell: (one) => one.kind },
  { name: 'in', cell: (one) => one.in.join(' ') },
  { name: 'line', cell: (one) => one.line },
  { name: 'logged_at', cell: (one) => one.logged_at },
  { name: 'logged_url', cell: (one) => one.logged_url },
  { name: 'logged_credits', cell: (one) => one.logged_credits },
  { name: 'call_id', cell: (one) => one.call_id },
  { name: 'at', cell: (one) => one.at },
  { name: 'key', cell: (one) => one.key },
  { name: 'credits', cell: (one) => one.credits },
];

/** As JSON the sums and the first differences, as CSV all differences. */
const answer: Answer<ReconciliationResult> = {
  status: 201,
  schema: Reconciliation,
  types: ['text/csv'],
  examples: {
    'text/csv': csvTable(COLUMNS, exampleOf(Reconciliation).differences),
  },
  send: sendReconciled,
};

function sendReconciled(
  request: FastifyRequest,
  reply: FastifyReply,
  view: ReconciliationResult,
): void {
  if (negotiate(request, ['application/json', 'text/csv']) === 'application/json') {
    sendJson(request, reply, { ...view.sums, differences: view.shown(0, SHOWN_MAX) });
    return;
  }
  void reply.header('content-type', CSV).header('vary', 'Authorization, Accept');
  void reply.header('cache-control', NO_STORE).send(Readable.from(piecesOf(view)));
}

function* piecesOf({ count, shown }: ReconciliationResult): Generator<string> {
  yield csvHeader(COLUMNS);
  for (let row = 0; row < count; row += PIECE_ROWS) {
    yield csvRows(COLUMNS, shown(row, row + PIECE_ROWS));
  }
}

const LOG_EXAMPLE = `time,url,call_id,credits
2026-11-24T09:00:00Z,/v1/latest/cat1/trends/top5/popindex/us/beauty,0197c000-0000-7000-8000-000000000001,35
`;

const LINES_EXAMPLE =
  '{"time":"2026-11-24T09:00:00Z","url":"/v1/latest/cat1/trends/top5/popindex/us/beauty"}\n';

const { read } = operationsOf<Reconciliations>('Usage');

const reconcile = read({
  id: 'reconcileLog',
  method: 'post',
  path: PATH,
  summary: 'Matches a log of your own with the calls of the account',
  description:
    'A CSV with a header, or one JSON object a line, of at most a million rows: `time` (RFC 3339, or ' +
    'seconds or ms since 1970), `url`, and where you have them `call_id`, `request_id`, `credits` ' +
    'and `status`. A row with a Call-Id is matched with that call; others with a call of their URL, ' +
    'one to one in the order of time, within the tolerance. Calls count from the first to the last ' +
    'row, or in the span `from` to `to`: name it, so that rows missing at the ends of the log are found. The log is not kept; the sums and the first 50,000 differences are, of the newest ten ' +
    'logs of an account, for 30 days.',
  access: ACCOUNT_READ,
  query: reconciliationQuery,
  stream: {
    'text/csv': LOG_EXAMPLE,
    'application/x-ndjson': LINES_EXAMPLE,
    'application/jsonl': LINES_EXAMPLE,
  },
  answer,
  cli: {
    name: 'account reconcile',
    description: "match a customer's own log with the calls of the account",
    example: 'Acme november.csv --from 2026-11-01 --to 2026-12-01',
  },
  run: async (service, { path, query, request }) => ({
    view: await service.of(path.account_id, sentLog(request), query),
  }),
});

const list = read({
  id: 'listReconciliations',
  path: PATH,
  summary: 'Logs of your own that were matched, in sums',
  description: 'The newest ten of the last 30 days, oldest first.',
  access: ACCOUNT_READ,
  query: PAGE,
  answer: page(ReconciliationSums),
  run: async (service, { path, query }) => ({ view: await service.list(path.account_id, query) }),
});

const get = read({
  id: 'getReconciliation',
  path: `${PATH}/{reconciliation_id}`,
  summary: 'How one log of your own agreed with the calls, in sums',
  description: 'As it was when the log was sent.',
  access: ACCOUNT_READ,
  answer: ok(ReconciliationSums),
  run: async (service, { path }) => ({
    view: await service.sums(path.account_id, path.reconciliation_id),
  }),
});

const differences = read({
  id: 'listLogDifferences',
  path: `${PATH}/{reconciliation_id}/differences`,
  summary: 'In what a log of your own and the calls differ',
  description: 'By their time. As CSV without a limit all that are kept come.',
  access: ACCOUNT_READ,
  query: z.strictObject(LIST_QUERY),
  answer: table(LogDifference, () => COLUMNS),
  run: async (service, { path, query }) => ({
    view: await service.differences(path.account_id, path.reconciliation_id, query),
  }),
});

/** Logs of customers beside the calls of their accounts. */
export const RECONCILIATIONS: Resource = {
  service: Reconciliations,
  operations: [reconcile, list, get, differences],
};

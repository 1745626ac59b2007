import { DisputeResolutions } from '#invoicing/dispute-resolutions.js';
import { DISPUTES as DISPUTE_ROWS } from '#projections/projections/disputes.projection.js';
import { pagedList } from '#web/table-answer.js';
import type { DisputeView } from '#projections/views/dispute-view.js';
import type { Column } from '#web/csv.js';
import { created, ok, page, table } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import {
  ACCOUNT_CHANGE,
  ACCOUNT_READ,
  STAFF_CHANGE,
  STAFF_READ,
} from '../operation/permissions.js';
import {
  ALL_DISPUTES_QUERY,
  Dispute,
  DISPUTES_QUERY,
  OpenDispute,
  ResolveDispute,
} from './dispute.schemas.js';
import { Disputes } from './disputes.js';

/** Columns of disputes as CSV, in an order that stays. */
const DISPUTE_COLUMNS: readonly Column<DisputeView>[] = [
  { name: 'id', cell: (dispute) => dispute.id },
  { name: 'account_id', cell: (dispute) => dispute.account_id },
  { name: 'status', cell: (dispute) => dispute.status },
  { name: 'opened_at', cell: (dispute) => dispute.opened_at },
  { name: 'reason', cell: (dispute) => dispute.reason },
  { name: 'call_ids', cell: (dispute) => dispute.call_ids.join(' ') },
  { name: 'disputed_credits', cell: (dispute) => dispute.disputed_credits },
  { name: 'resolved_at', cell: (dispute) => dispute.resolved_at },
  { name: 'answer', cell: (dispute) => dispute.answer },
  { name: 'given_back_credits', cell: (dispute) => dispute.given_back_credits },
  { name: 'account_name', cell: (dispute) => dispute.account_name },
];

const OF_ACCOUNT = '/accounts/{account_id}/disputes';
const BATCH_ROWS = 1_000;
const COLUMNS = ['id', 'status', 'disputed_credits', 'opened_at', 'reason', 'answer'] as const;

const { read, change } = operationsOf<Disputes>('Disputes');

const open = change({
  id: 'openDispute',
  method: 'post',
  path: OF_ACCOUNT,
  summary: 'Disputes what calls were charged, or that one is missing',
  description:
    'Operators look at it, and answer with an explanation or by giving the calls back. A call is in ' +
    'at most one open dispute (409); one that is not the account’s is 404. Open disputes name at ' +
    'most 1,000 calls of an account together. One without calls is about a request that is missing ' +
    'here, as a log of your own shows it: an account has at most 100 of these open.',
  access: ACCOUNT_CHANGE,
  body: OpenDispute,
  answer: created(Dispute),
  isConditional: true,
  problems: ['conflict'],
  location: ({ id }, { path }) => `${OF_ACCOUNT.replace('{account_id}', path.account_id)}/${id}`,
  cli: {
    name: 'dispute open',
    description: 'dispute calls for a customer',
    example: 'Acme "The answer was old." --calls 0198…',
    arguments: ['reason'],
    flags: { call_ids: '--calls <ids>' },
  },
  run: (disputes, { path, change: made, body }) => disputes.open(path.account_id, made, body),
});

const list = read({
  id: 'listDisputes',
  path: OF_ACCOUNT,
  summary: 'Disputes of the account, with their answers',
  description:
    'Open ones first, then in the order in which they were opened. Read from the log itself: a ' +
    'dispute is there as soon as it was opened, an answer as soon as it was given.',
  access: ACCOUNT_READ,
  query: DISPUTES_QUERY,
  answer: page(Dispute),
  // Never, since it is read from the log: documents keep the header that was there.
  waitsFor: () => null,
  cli: {
    name: 'dispute list',
    description: 'disputes of an account',
    example: 'Acme',
    columns: COLUMNS,
  },
  run: async (disputes, { path, query: { after = null, limit, order, status, call_id } }) => {
    const filter = { accountId: path.account_id, status, callId: call_id, order };
    return { view: await disputes.list(filter, after, limit) };
  },
});

const get = read({
  id: 'getDispute',
  path: `${OF_ACCOUNT}/{dispute_id}`,
  summary: 'One dispute, with what both sides said',
  description: 'Read from the log itself: an answer is there as soon as it was given.',
  access: ACCOUNT_READ,
  answer: ok(Dispute),
  run: async (disputes, { path }) => ({
    view: await disputes.get(path.account_id, path.dispute_id),
  }),
});

const queue = read({
  id: 'listAllDisputes',
  path: '/disputes',
  summary: 'Disputes of all accounts: what is still open comes first',
  description: 'The longest open first. As CSV without a limit it comes whole.',
  access: STAFF_READ,
  query: ALL_DISPUTES_QUERY,
  answer: table(Dispute, () => DISPUTE_COLUMNS),
  waitsFor: ({ query }) => (query.account_id === undefined ? DISPUTE_ROWS : null),
  cli: {
    name: 'dispute all',
    description: 'disputes of all accounts, open ones first',
    example: '--status open',
    columns: ['account_name', ...COLUMNS],
  },
  run: (disputes, { query: { after = null, order, status, account_id, call_id } }) => {
    const filter = { accountId: account_id ?? null, status, callId: call_id, order };
    return {
      view: pagedList(after, BATCH_ROWS, (place, limit) => disputes.queue(filter, place, limit)),
    };
  },
});

const resolve = operationsOf<DisputeResolutions>('Disputes').change({
  id: 'resolveDispute',
  method: 'post',
  path: '/disputes/{dispute_id}/resolve',
  summary: 'Answers a dispute, once',
  description:
    'What is accepted is given back with the answer, all of it or nothing: each call as where it is ' +
    'given back alone, but for those that were given back before.',
  access: STAFF_CHANGE,
  body: ResolveDispute,
  answer: ok(Dispute),
  problems: ['conflict'],
  cli: {
    name: 'dispute resolve',
    description: 'answer a dispute; accepted calls are given back',
    example: '8b9c… accepted "The release was wrong."',
    arguments: ['outcome', 'answer'],
  },
  run: (all, { path, change: made, body }) => all.resolve(path.dispute_id, made, body),
});

/** Disputes of customers; an accounting process serves them. */
export const DISPUTES: Resource = { service: Disputes, operations: [open, list, get, queue] };

/** The answers of operators. */
export const RESOLUTIONS: Resource = { service: DisputeResolutions, operations: [resolve] };

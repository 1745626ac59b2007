import { ok, page } from '../operation/answer.js';
import { operationsOf, type Access, type Resource } from '../operation/operation.js';
import { STAFF_READ } from '../operation/permissions.js';
import { PAGE } from '../operation/queries.js';
import { ChangePeriod, Period } from './period.schemas.js';
import { AccountingPeriods } from './periods.js';

const BY_OWNERS: Access = { roles: [] };

const { read, change } = operationsOf<AccountingPeriods>('Exports');

const list = read({
  id: 'listPeriods',
  path: '/periods',
  summary: 'Accounting periods that were closed',
  description: 'Oldest first. A month that is not listed was never closed, and is open.',
  access: STAFF_READ,
  query: PAGE,
  answer: page(Period),
  cli: {
    name: 'period list',
    description: 'every accounting period that was closed',
    example: '',
    columns: ['month', 'status', 'at', 'by', 'reason'],
  },
  run: async (periods, { query }) => ({ view: await periods.list(query) }),
});

const close = change({
  id: 'closePeriod',
  method: 'post',
  path: '/periods/{month}/close',
  summary: 'Closes the books of a month, and of all before it',
  description:
    'What is due is issued first. From then on the journal and the exports by `issued_month`, without ' +
    'test accounts, are the same bytes, and a stated date in the period is refused (409). 409 while ' +
    'the month runs (up to a minute after its end), while something in it cannot be invoiced, and while ' +
    'an account is damaged.',
  access: BY_OWNERS,
  body: ChangePeriod,
  answer: ok(Period),
  cli: {
    name: 'period close',
    description: 'close the books of a month, and of all before it',
    example: '2026-11 --reason "Handed over to the accountant."',
  },
  run: (periods, { path, change: made }) => periods.close(path.month, made),
});

const reopen = change({
  id: 'reopenPeriod',
  method: 'post',
  path: '/periods/{month}/reopen',
  summary: 'Reopens the books of a month, and of all after it',
  description:
    'Dates in them can be stated again; the exports follow the log again. The event and the files of the ' +
    'close stay in the log.',
  access: BY_OWNERS,
  body: ChangePeriod,
  answer: ok(Period),
  cli: {
    name: 'period reopen',
    description: 'reopen the books of a month, and of all after it',
    example: '2026-11 --reason "A payment was forgotten."',
  },
  run: (periods, { path, change: made }) => periods.reopen(path.month, made),
});

/** Months whose books are closed. */
export const PERIODS: Resource = { service: AccountingPeriods, operations: [list, close, reopen] };

import { sending } from '../operation/answer.js';
import { exampleOf } from '../operation/examples.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { ACCOUNT_READ } from '../operation/permissions.js';
import { Statement } from './statement.schemas.js';
import { Statements, statementCsv } from './statements.js';

const { read } = operationsOf<Statements>('Statements');

const get = read({
  id: 'getStatement',
  path: '/accounts/{account_id}/statements/{month}',
  summary: 'A month of an account in credits',
  description:
    'Of a month in which the account was there. The exported calls alone can prove it. Of a month that is not closed: as far as it has come, ' +
    'without a head.',
  access: ACCOUNT_READ,
  answer: sending(Statement, ['text/csv'], { 'text/csv': statementCsv(exampleOf(Statement)) }),
  cli: {
    name: 'account statement',
    description: 'a month of an account in credits',
    example: 'Acme 2026-10 --json',
  },
  run: async (statements, { path, account }) => ({
    view: await statements.send(path.account_id, path.month, account !== null),
  }),
});

/** Months of accounts in credits. */
export const STATEMENTS: Resource = { service: Statements, operations: [get] };

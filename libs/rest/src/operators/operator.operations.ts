import { NOTHING, page } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { PAGE } from '../operation/queries.js';
import { Reason } from '../operation/reason.js';
import { Operator } from './operator.schemas.js';
import { Operators } from './operators.js';

const { read, change } = operationsOf<Operators>('Safety');

const list = read({
  id: 'listOperators',
  path: '/operators',
  summary: 'People who have signed in to the console with the company account',
  description:
    'In the order of their ids. Their roles are those of the identity provider, as of the last sign-in.',
  access: { roles: ['support'] },
  query: PAGE,
  answer: page(Operator),
  cli: {
    name: 'operator list',
    description: 'people who have signed in to the console with the company account',
    example: '',
    columns: ['id', 'name', 'email', 'role', 'signed_in_at'],
  },
  run: async (operators, { query }) => ({ view: await operators.page(query) }),
});

const endSessions = change({
  id: 'revokeOperatorSessions',
  method: 'delete',
  path: '/operators/{operator_id}/sessions',
  summary: 'Signs a person out of the console everywhere, at once',
  description:
    'Take the role away at the identity provider first: a role counts until its session ends, ' +
    'after 8 hours at most.',
  access: { roles: [] },
  body: Reason,
  isBodyOptional: true,
  answer: NOTHING,
  cli: {
    name: 'operator revoke',
    description: 'sign a person out of the console everywhere',
    example: '019a…',
    done: 'The person is signed out.',
  },
  run: (operators, { path, change: made }) => operators.endSessions(path.operator_id, made),
});

/** People who have signed in to the console with the company account. */
export const OPERATORS: Resource = { service: Operators, operations: [list, endSessions] };

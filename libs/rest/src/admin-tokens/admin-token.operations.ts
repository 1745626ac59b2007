import { created, NOTHING, page } from '../operation/answer.js';
import { operationsOf, type Access, type Resource } from '../operation/operation.js';
import { PAGE } from '../operation/queries.js';
import { Reason } from '../operation/reason.js';
import { AdminToken, IssueAdminToken, NewAdminToken } from './admin-token.schemas.js';
import { AdminTokens } from './admin-tokens.js';

const BY_OWNERS: Access = { roles: [] };

const { read, change } = operationsOf<AdminTokens>('Safety');

const issue = change({
  id: 'issueAdminToken',
  method: 'post',
  path: '/admin-tokens',
  summary: 'Issues an admin token of one role',
  description: 'The token is shown this once; only its SHA-256 is kept.',
  access: BY_OWNERS,
  body: IssueAdminToken,
  answer: created(NewAdminToken),
  cli: {
    name: 'token issue',
    description: 'issue an admin token, which is shown this once',
    example: '"Nadja" --role billing',
    arguments: ['name'],
  },
  run: (tokens, { change: made, body }) => tokens.issue(made, body),
});

const list = read({
  id: 'listAdminTokens',
  path: '/admin-tokens',
  summary: 'Admin tokens in the order in which they were issued, also those that are revoked',
  description: 'The one that the service was started with, ADMIN_TOKEN, is not among them.',
  access: { roles: ['support'] },
  query: PAGE,
  answer: page(AdminToken),
  cli: {
    name: 'token list',
    description: 'every admin token, by its last four characters',
    example: '',
    columns: ['id', 'name', 'role', 'last_four', 'status', 'expires_at', 'last_used_at'],
  },
  run: async (tokens, { query }) => ({ view: await tokens.list(query) }),
});

const revoke = change({
  id: 'revokeAdminToken',
  method: 'delete',
  path: '/admin-tokens/{token_id}',
  summary: 'Revokes an admin token at once',
  description:
    'It opens nothing any more, in no process. Doing it again changes nothing. ADMIN_TOKEN cannot ' +
    'be revoked here.',
  access: BY_OWNERS,
  body: Reason,
  isBodyOptional: true,
  answer: NOTHING,
  cli: {
    name: 'token revoke',
    description: 'end an admin token',
    example: '2f90… --reason "left the company"',
    done: 'The token is revoked.',
  },
  run: (tokens, { path, change: made }) => tokens.revoke(path.token_id, made),
});

/** The named admin tokens. */
export const ADMIN_TOKENS: Resource = { service: AdminTokens, operations: [issue, list, revoke] };

import { created, NOTHING, page } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { ACCOUNT_CHANGE, ACCOUNT_READ, SALES_CHANGE } from '../operation/permissions.js';
import { PAGE } from '../operation/queries.js';
import { Reason } from '../operation/reason.js';
import { ApiKey, IssueApiKey, IssuedApiKey, RotateApiKey } from './api-key.schemas.js';
import { ApiKeys } from './api-keys.js';

const ALL = '/accounts/{account_id}/api-keys';
const ONE = '/accounts/{account_id}/api-keys/{key_id}';

const { read, change } = operationsOf<ApiKeys>('API keys');

const issue = change({
  id: 'issueApiKey',
  method: 'post',
  path: ALL,
  summary: 'Issues an API key',
  description:
    'The key is shown this once: only its SHA-256 is kept. At most 100 of an account are active.',
  access: SALES_CHANGE,
  body: IssueApiKey,
  answer: created(IssuedApiKey),
  isConditional: true,
  cli: {
    name: 'key issue',
    description: 'issue an API key, which is shown this once',
    example: 'Acme "Production" --expires-at 2027-01-01T00:00:00Z',
    arguments: ['label'],
  },
  run: (keys, { path, change: made, body }) => keys.issue(path.account_id, made, body),
});

const list = read({
  id: 'listApiKeys',
  path: ALL,
  summary: 'API keys of an account, oldest first',
  description:
    'Keys are shown by prefix and last four characters, also those that are revoked or ' +
    'expired. `last_used_at` helps to find keys that nobody uses any more.',
  access: ACCOUNT_READ,
  query: PAGE,
  answer: page(ApiKey),
  cli: {
    name: 'key list',
    description: 'the API keys of an account, by their last four characters',
    example: 'Acme',
    columns: ['id', 'label', 'last_four', 'status', 'scopes', 'expires_at', 'last_used_at'],
  },
  run: async (keys, { path, query }) => ({ view: await keys.list(path.account_id, query) }),
});

const revoke = change({
  id: 'revokeApiKey',
  method: 'delete',
  path: ONE,
  summary: 'Revokes an API key at once',
  description:
    'Calls with the key are answered 401 `invalid-key` in every process. Revoking it again ' +
    'changes nothing. To replace a key without a gap, issue another one first.',
  access: ACCOUNT_CHANGE,
  body: Reason,
  isBodyOptional: true,
  answer: NOTHING,
  isConditional: true,
  cli: {
    name: 'key revoke',
    description: 'end an API key at once',
    example: 'Acme 0b7a… --reason "leaked"',
    done: 'The key is revoked: no call is charged to it any more.',
  },
  run: (keys, { path, change: made }) => keys.revoke(path.account_id, path.key_id, made),
});

const rotate = change({
  id: 'rotateApiKey',
  method: 'post',
  path: '/accounts/{account_id}/api-keys/{key_id}/rotate',
  summary: 'Replaces an API key; the old one works for a while beside the new one',
  description:
    'The new one has the same label and scopes, and is shown this once. An API key rotates keys ' +
    'whose scopes it has itself (403 `forbidden`) and that do not end after itself (409 `conflict`); ' +
    'the new one ends when the old one would have.',
  access: { session: 'manager', scope: 'account:write' },
  body: RotateApiKey,
  answer: created(IssuedApiKey),
  isConditional: true,
  run: (keys, { path, change: made, body }) =>
    keys.rotate(path.account_id, path.key_id, made, body.overlap_hours),
});

/** The API keys of accounts. */
export const API_KEYS: Resource = { service: ApiKeys, operations: [issue, list, revoke, rotate] };

import type { PathItem } from '#web/openapi-document.js';
import { changeOperation, readOperation, type Route } from './operation.js';
import { PAGE } from '#ledger/read-parameters.js';

const ONE = '/admin/v1/accounts/{account_id}';
const ACCOUNT = ['account_id'] as const;

const GRANT: Route = {
  id: 'grantCredits',
  tag: 'Credits',
  summary: 'Gives credits',
  description:
    'They repay a debt first. All that is ever granted adds up to at most 2^53 − 1 credits.',
  path: ACCOUNT,
  body: {
    schema: 'GrantCredits',
    required: true,
    example: { credits: 100_000, kind: 'purchased', price: 125_000 },
  },
  answer: { status: 201, schema: 'Grant' },
};

const GRANTS: Route = {
  id: 'listGrants',
  tag: 'Credits',
  summary: 'Every grant an account ever had, oldest first',
  path: ACCOUNT,
  query: PAGE,
  answer: { status: 200, schema: 'GrantList' },
};

const VOID: Route = {
  id: 'voidGrant',
  tag: 'Credits',
  summary: 'Takes back what is left of a grant',
  description:
    'Where nothing is left of it, nothing changes. What was bought is invoiced all the same: a credit note ' +
    'of the invoice, or of its line, gives the money back.',
  path: ['account_id', 'grant_id'],
  body: { schema: 'Reason', required: false, example: { reason: 'Bought by mistake.' } },
  answer: { status: 204 },
  isConditional: true,
};

const ADJUST: Route = {
  id: 'adjustCredits',
  tag: 'Credits',
  summary: 'Gives or takes credits by hand',
  description:
    'With `call_id` it gives a call back: at most once, and at most what it was charged.',
  path: ACCOUNT,
  body: {
    schema: 'AdjustCredits',
    required: true,
    example: { credits: 1760, reason: 'Wrong series, see ticket 4711.' },
  },
  answer: { status: 201, schema: 'Adjustment' },
};

/** Paths of credits. */
export function creditPaths(baseUrl: string): Record<string, PathItem> {
  const read = (route: Route) => readOperation(route, baseUrl);
  const change = (route: Route) => changeOperation(route, baseUrl);
  return {
    [`${ONE}/grants`]: { post: change(GRANT), get: read(GRANTS) },
    [`${ONE}/grants/{grant_id}`]: { delete: change(VOID) },
    [`${ONE}/adjustments`]: { post: change(ADJUST) },
  };
}

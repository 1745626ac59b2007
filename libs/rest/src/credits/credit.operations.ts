import { created, ok, page } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { STAFF_CHANGE, STAFF_READ } from '../operation/permissions.js';
import { PAGE } from '../operation/queries.js';
import { AdjustCredits, Adjustment, GrantCredits, GrantDetails } from './credit.schemas.js';
import { VoidedGrant, VoidGrant } from './credit.schemas.js';
import { Credits } from './credits.js';

const GRANTS = '/accounts/{account_id}/grants';

const { read, change } = operationsOf<Credits>('Credits');

const grant = change({
  id: 'grantCredits',
  method: 'post',
  path: GRANTS,
  summary: 'Gives credits',
  description:
    'They repay a debt first. All that is ever granted adds up to at most 2^53 − 1 credits. A purchase ' +
    'is invoiced at once, unless the billing details say `"purchases": "monthly"`: the answer waits up to ' +
    '5 s for the number of its invoice.',
  access: STAFF_CHANGE,
  body: GrantCredits,
  answer: created(GrantDetails),
  isConditional: true,
  cli: {
    name: 'grant add',
    description: 'give credits',
    example: 'Acme 100000 --kind purchased --price 120000',
    arguments: ['credits'],
    flags: {
      price: '--price <amount>',
      priority: '--priority <n>',
    },
  },
  run: (credits, { path, change: made, body }) => credits.grant(path.account_id, made, body),
});

const list = read({
  id: 'listGrants',
  path: GRANTS,
  summary: 'Every grant an account ever had, oldest first',
  description:
    'Also grants that are spent, expired or voided. `left` is what can still be drawn of a ' +
    'grant.',
  access: STAFF_READ,
  query: PAGE,
  answer: page(GrantDetails),
  cli: {
    name: 'grant list',
    description: 'the grants of an account, and what is left of each',
    example: 'Acme',
    columns: ['id', 'kind', 'credits', 'left', 'priority', 'expires_at', 'status', 'note'],
  },
  run: async (credits, { path, query }) => ({ view: await credits.list(path.account_id, query) }),
});

const voidGrant = change({
  id: 'voidGrant',
  method: 'delete',
  path: '/accounts/{account_id}/grants/{grant_id}',
  summary: 'Takes back what is left of a grant',
  description:
    'The answer states the credits and the money. Where nothing is left of it, nothing changes. The ' +
    'value of its unused credits is given back: by a credit note, for whose number the answer waits up ' +
    'to 5 s, or before it is invoiced by an invoice of only what was used, and by none if nothing was. ' +
    'With `"refund": false` it is forfeited.',
  access: STAFF_CHANGE,
  body: VoidGrant,
  isBodyOptional: true,
  answer: ok(VoidedGrant),
  isConditional: true,
  cli: {
    name: 'grant void',
    description: 'take what is left of a grant, and give its price back',
    example: 'Acme 91d2… --reason "payment bounced"',
  },
  run: (credits, { path, change: made, body }) =>
    credits.void(path.account_id, path.grant_id, made, body),
});

const adjust = change({
  id: 'adjustCredits',
  method: 'post',
  path: '/accounts/{account_id}/adjustments',
  summary: 'Gives or takes credits by hand',
  description:
    'With `call_id` it gives a call back: at most once, and at most what it was charged.',
  access: STAFF_CHANGE,
  body: AdjustCredits,
  answer: created(Adjustment),
  isConditional: true,
  cli: {
    name: 'adjustment add',
    description: 'give an account credits, or take them, by hand',
    example: 'Acme -50 "twice by mistake"',
    arguments: ['credits', 'reason'],
    flags: { call_id: '--call <id>' },
  },
  run: (credits, { path, change: made, body }) => credits.adjust(path.account_id, made, body),
});

/** The credits of accounts. */
export const CREDITS: Resource = {
  service: Credits,
  operations: [grant, list, voidGrant, adjust],
};

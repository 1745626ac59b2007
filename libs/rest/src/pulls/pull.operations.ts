import { ok } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { Pull, PulledAnswer } from './pull.schemas.js';
import { Pulls } from './pulls.js';

const { change } = operationsOf<Pulls>('Data');

const pull = change({
  id: 'pull',
  method: 'post',
  path: '/accounts/{account_id}/pulls',
  summary: 'One metered call, with the account\'s API key "Portal"',
  description:
    'It goes to the public API like any other call: limits, charge and idempotency are the same, and ' +
    'so are refusals. The key is made at the first pull; after it was revoked the next pull says so, ' +
    'and the one behind it makes another.',
  access: { session: 'manager' },
  body: Pull,
  answer: ok(PulledAnswer),
  problems: [
    'unknown-item',
    'unknown-window',
    'no-data',
    'out-of-credits',
    'credits-held',
    'budget-exhausted',
    'account-suspended',
    'idempotency-key-used',
    'price-above-maximum',
    'not-found',
  ],
  run: async (pulls, { change: { idempotencyKey }, body, request }) => ({
    view: await pulls.pull(request, idempotencyKey, body),
  }),
});

/** Metered calls from the portal. */
export const PULLS: Resource = { service: Pulls, operations: [pull] };

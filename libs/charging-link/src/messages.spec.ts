import { requestOf } from '../test-adapters/scene.js';
import { isAccountingMessage, isApiMessage } from './messages.js';

const REQUEST = requestOf();
const { accountId, callId, key, resource, rows, release, window } = REQUEST;
const ITEM = { key, resource, rows, release, window };
const requestId = callId;
const CALL = { accountId, callId, requestId };
const CHARGED = {
  outcome: 'charged',
  replayed: false,
  charged: { callId, at: 1, call: { cost: [10, 25] }, balance: null },
};
const answer = (outcome: object) => ({ kind: 'answer', id: 1, outcome });

test.each<[object]>([
  [{ kind: 'charge', id: 1, request: REQUEST }],
  [{ kind: 'charge', id: 1, request: { ...REQUEST, maxCredits: 10, tags: { team: 'nails' } } }],
  [{ kind: 'charge', id: 1, request: { ...REQUEST, added: 'by a newer version' } }],
  [{ kind: 'quote', id: 1, request: { accountId, apiKey: 1, items: [] } }],
  [{ kind: 'quote', id: 1, request: { accountId, apiKey: 1, items: [ITEM, ITEM] } }],
  [
    {
      kind: 'quote',
      id: 1,
      request: { accountId, apiKey: 1, items: [ITEM], named: { callId: accountId, asked: '/v1' } },
    },
  ],
  [{ kind: 'settle', id: 1, call: CALL }],
  [{ kind: 'ping' }],
  [{ kind: 'bye' }],
])('%j is a message of an API process', (message) => {
  expect(isApiMessage(message)).toBe(true);
});

const wrongRequest: [string, unknown][] = Object.keys(REQUEST).map((member) => [
  `a charge without ${member}`,
  { kind: 'charge', id: 1, request: { ...REQUEST, [member]: undefined } },
]);
const wrongItem: [string, unknown][] = Object.keys(ITEM).map((member) => [
  `a quote without ${member}`,
  {
    kind: 'quote',
    id: 1,
    request: { accountId, apiKey: 1, items: [ITEM, { ...ITEM, [member]: 0 / 0 }] },
  },
]);
const wrongCall: [string, unknown][] = Object.keys(CALL).map((member) => [
  `a settlement whose ${member} is no id`,
  { kind: 'settle', id: 1, call: { ...CALL, [member]: 'x' } },
]);

test.each<[string, unknown]>([
  ...wrongRequest,
  ...wrongItem,
  ...wrongCall,
  ['nothing', null],
  ['a text', 'ping'],
  ['a list', [{ kind: 'ping' }]],
  ['no kind', {}],
  ["the other side's word", { kind: 'pong' }],
  ['a negative id', { kind: 'charge', id: -1, request: REQUEST }],
  ['half an id', { kind: 'charge', id: 0.5, request: REQUEST }],
  [
    'an upper-case account',
    {
      kind: 'charge',
      id: 1,
      request: { ...REQUEST, accountId: accountId.toUpperCase().replace(/^./, 'A') },
    },
  ],
  ['a tag that is no text', { kind: 'charge', id: 1, request: { ...REQUEST, tags: { team: 1 } } }],
  [
    'items that are no list',
    { kind: 'quote', id: 1, request: { accountId, apiKey: 1, items: ITEM } },
  ],
])('%s is no message of an API process', (_name, message) => {
  expect(isApiMessage(message)).toBe(false);
});

test.each<[object]>([
  [answer(CHARGED)],
  [answer({ outcome: 'refused', refusal: { reason: 'too-late' } })],
  [answer({ outcome: 'quoted', items: [{}], balance: -5 })],
  [{ kind: 'unavailable', id: 1, retryAfterSeconds: 1, detail: 'The log is away.' }],
  [{ kind: 'unknown', id: 1 }],
  [{ kind: 'draining', id: 1 }],
  [{ kind: 'settled', id: 1 }],
  [{ kind: 'pong' }],
  [{ kind: 'ready' }],
  [{ kind: 'not-ready', reason: 'the clock is 10000 ms ahead' }],
  [{ kind: 'leaving' }],
])('%j is a message of an accounting process', (message) => {
  expect(isAccountingMessage(message)).toBe(true);
});

test.each<[string, unknown]>([
  ['an answer without an outcome', { kind: 'answer', id: 1 }],
  ['an unknown outcome', answer({ outcome: 'free' })],
  ['a charge of nothing', answer({ outcome: 'charged', replayed: false })],
  ['a charge without its cost', answer({ ...CHARGED, charged: { ...CHARGED.charged, call: {} } })],
  [
    'a charge with half a balance',
    answer({ ...CHARGED, charged: { ...CHARGED.charged, balance: 0.5 } }),
  ],
  ['a charge that may be a replay', answer({ ...CHARGED, replayed: undefined })],
  ['a refusal without a reason', answer({ outcome: 'refused', refusal: {} })],
  ['a quote without items', answer({ outcome: 'quoted', balance: null })],
  ['an answer to nothing', { kind: 'unknown' }],
  ['not ready without a reason', { kind: 'not-ready' }],
  ['unavailable for no time', { kind: 'unavailable', id: 1, detail: '' }],
  ["the other side's word", { kind: 'ping' }],
])('%s is no message of an accounting process', (_name, message) => {
  expect(isAccountingMessage(message)).toBe(false);
});

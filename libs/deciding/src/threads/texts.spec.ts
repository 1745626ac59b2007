import fc from 'fast-check';
import type { CallMade } from '#account/calls.js';
import {
  AccountDamagedError,
  AccountingUnavailableError,
  type ChargeRequest,
  OutcomeUnknownError,
} from '#account/charging.js';
import { allBeauty, openAccount } from '#account/scenario.suite.js';
import { FIRST_HEAD } from '#event-log/hash-chain.js';
import type { Answer, Submission } from '../submission.js';
import { receivedAnswer, sentAnswer, sentFailure, type SentAnswer } from './answer-text.js';
import { receivedSubmission, sentSubmission, type SentSubmission } from './submission-text.js';

function overText<Sent>(sent: Sent): Sent {
  return JSON.parse(JSON.stringify(sent)) as Sent;
}

const tags = fc.option(fc.dictionary(fc.string(), fc.string()), { nil: null });
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const charges: fc.Arbitrary<ChargeRequest> = fc.record({
  callId: fc.uuid(),
  accountId: fc.uuid(),
  apiKey: fc.nat(),
  key: fc.string(),
  asked: fc.string(),
  resource: fc.constant(allBeauty),
  rows: fc.nat(),
  window: fc.string(),
  release: fc.string(),
  maxCredits: fc.option(fc.nat()),
  tags,
  isRetry: fc.boolean(),
  requestId: optional(fc.uuid()),
  wantsPlace: optional(fc.constant(true)),
  notAfter: fc.nat(),
});

const calls: fc.Arbitrary<CallMade> = fc.record({
  key: fc.string(),
  asked: optional(fc.string()),
  window: optional(fc.string()),
  release: fc.string(),
  api_key: fc.nat(),
  rows: fc.nat(),
  kind: fc.constantFrom('base', 'repeat'),
  cost: fc.tuple(fc.nat(), fc.nat()),
  card: fc.nat(),
  rule: fc.string(),
  draws: fc.constant([]),
  balance: fc.integer(),
  tags: optional(fc.dictionary(fc.string(), fc.string())),
  request: optional(fc.uuid()),
});

function submissionOf(request: ChargeRequest): Submission {
  const { accountId, callId, isRetry, notAfter } = request;
  return { accountId, callId, isRetry, notAfter, command: { command: 'make-call', request } };
}

function received(submission: Submission): Submission {
  return receivedSubmission(overText<SentSubmission>(sentSubmission(submission)));
}

test('a call arrives as it was submitted', () => {
  fc.assert(
    fc.property(charges, (request) => {
      expect(received(submissionOf(request))).toEqual(submissionOf(request));
    }),
  );
});

test.each<[string, Partial<Submission>]>([
  ['that may exist although its request does not say so', { isRetry: true }],
  ['that waits longer than its request', { notAfter: 7 }],
  ['on a condition', { precondition: { of: { budget: 'b' }, tags: ['"1"'] } }],
  ['unless another event stands in the log', { skipIfLogged: 'u' }],
  ['of another kind', { command: openAccount() }],
])('a command %s arrives as it was submitted', (_what, changes) => {
  const [request] = fc.sample(charges, { numRuns: 1, seed: 1 });
  if (request === undefined) throw new Error('There is no sample.');
  const submission = { ...submissionOf({ ...request, isRetry: false }), ...changes };
  expect(received(submission)).toEqual(submission);
});

const flags = fc.record({ flag: fc.boolean(), isPlaced: fc.boolean() });

test('the answer to a call arrives as it was given', () => {
  fc.assert(
    fc.property(calls, fc.nat(), flags, fc.option(fc.nat()), (data, at, flags, overdraft) => {
      const { flag, isPlaced } = flags;
      const place = { version: at, head: FIRST_HEAD };
      const event = { type: 'CallMade', at, data } as const;
      const state = { test: flag, overdraft };
      const answer: Answer = {
        refusal: null,
        event,
        replayed: flag,
        state,
        ...(!flag && isPlaced && { place }),
      };
      const arrived = receivedAnswer(overText<SentAnswer>(sentAnswer(answer)));
      expect(arrived).toEqual(answer);
    }),
  );
});

test('of the state no other member leaves its thread', () => {
  const state = { test: false, overdraft: null, opened: new Set(['k']) };
  const sent = sentAnswer({ refusal: null, event: null, replayed: false, state });
  expect(sent).toEqual([
    null,
    { refusal: null, event: null, replayed: false, state: { test: false, overdraft: null } },
  ]);
});

/** All members but the stack of where it was made. */
function membersOf(error: unknown): object {
  const { stack: _stack, ...members } = error as Error;
  return { ...members, cause: String((error as Error).cause) };
}

test.each([
  new AccountDamagedError('a', 'A bad event.'),
  new AccountingUnavailableError('The log is away.', 5),
  new OutcomeUnknownError('c'),
  Object.assign(new Error('outer', { cause: new Error('inner') }), { code: '53100' }),
])('what is thrown is thrown again: %s', (error) => {
  const arrived = receivedAnswer(overText<SentAnswer>(sentFailure(error)));
  expect(arrived).toEqual(error);
  expect(arrived).toBeInstanceOf(error.constructor);
  expect(membersOf(arrived)).toMatchObject(membersOf(error));
});

import type { Refusal } from './refusal.js';
import { refuseReplay, REPLAY_MS } from './replay.js';
import {
  adjust,
  callAt,
  given,
  grantCredits,
  issueApiKey,
  openAccount,
  origin,
  ownEvent,
  prepaid,
  TUESDAY,
  when,
} from './scenario.suite.js';

const state = prepaid(60_000);
const first = ownEvent(when(state, TUESDAY, callAt(TUESDAY)), 'CallMade');
const later = TUESDAY + REPLAY_MS;
const callId = 'call-1';
/** The key named a grant, which the refusal says with its moment. */
const GRANTED: Refusal = {
  reason: 'idempotency-conflict',
  first: { at: TUESDAY, request: 'CreditsGranted' },
};

describe('a call whose id is in the log', () => {
  it.each<[string, number, object, boolean, Refusal | null]>([
    ['gets the first answer again at once', TUESDAY, {}, false, null],
    ['gets it for ten minutes', later, {}, false, null],
    ['does not get it later', later + 1, {}, false, { reason: 'idempotency-key-used', callId }],
    [
      'does not get it for another path',
      TUESDAY,
      { asked: '/v1/x' },
      false,
      {
        reason: 'idempotency-conflict',
        callId,
        first: { at: TUESDAY, request: `GET ${first.data.key}` },
      },
    ],
    [
      'does not get it once it was given back',
      TUESDAY,
      {},
      true,
      { reason: 'idempotency-key-used', callId },
    ],
    ['does not get it with a bad key', TUESDAY, { apiKey: 2 }, false, { reason: 'key-invalid' }],
  ])('%s', (_rule, now, changes, adjusted, expected) => {
    const command = callAt(TUESDAY, changes);
    expect(refuseReplay(state, first, command, callId, adjusted, now)).toEqual(expected);
  });

  it('does not get the answer of a command that was no call', () => {
    const opened = given([TUESDAY, openAccount()], [TUESDAY, issueApiKey()]);
    const event = ownEvent(when(opened, TUESDAY, grantCredits(5)), 'CreditsGranted');
    const refusal = refuseReplay(state, event, callAt(TUESDAY), callId, false, TUESDAY);
    expect(refusal).toEqual(GRANTED);
  });
});

describe("an operator's command whose id is in the log", () => {
  const event = ownEvent(when(state, TUESDAY, grantCredits(5)), 'CreditsGranted');
  it('gets the first answer again when it asks for the same', () => {
    expect(refuseReplay(state, event, grantCredits(5), callId, false, later + 1)).toBeNull();
  });

  it('is refused when it asks for something else', () => {
    const other = adjust(5);
    const command = { ...other, origin: { ...other.origin, ...origin, input: 'another input' } };
    expect(
      refuseReplay(
        state,
        event,
        { ...command, origin: { ...command.origin, reason: 'x' } },
        callId,
        false,
        TUESDAY,
      ),
    ).toEqual(GRANTED);
  });
});

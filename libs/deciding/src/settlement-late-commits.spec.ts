import { LogUnavailableError, type EventLog } from '#event-log/event-log.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { Settlement } from './settlement.js';
import type { Decider } from './submission.js';

const UNSETTLED = {
  accountId: '0197c000-0000-7000-8000-00000000000a',
  callId: '0197c000-0000-7000-9000-000000000001',
  requestId: '0197c000-0000-7000-b000-000000000001',
};
const CHARGED = { data: JSON.stringify({ cost: [5_000, 0], request: UNSETTLED.requestId }) };

let now: number;
let looks: number;
/** Lanes of the calls that were looked for. */
let lanes: number[];
/** Rows of the log for the call; null: it does not answer. */
let stored: readonly { readonly data: string }[] | null;
let submitted: unknown[];
let settlement: Settlement;

beforeEach(() => {
  [now, looks, lanes, stored, submitted] = [0, 0, [], [], []];
  const findCalls = async ([call]: readonly { readonly lane: number }[]) => {
    looks += 1;
    lanes.push(call?.lane ?? 0);
    if (stored === null) throw new LogUnavailableError('The log says nothing.');
    return stored;
  };
  const submit = async ({ command }: { readonly command: unknown }) => submitted.push(command);
  const log = { findCalls } as unknown as EventLog;
  const accounting = { submit } as unknown as Decider;
  settlement = new Settlement(log, accounting, { now: () => now }, () => undefined, 1);
  void settlement.settle(UNSETTLED);
});

afterEach(() => settlement.stop());

async function lookAgain(): Promise<void> {
  // The first of them may have begun before.
  const enough = looks + 2;
  await waitFor('it is looked for', () => looks >= enough || settlement.size === 0);
}

test('a call that is not in the log is forgotten when it can no longer arrive there', async () => {
  await lookAgain();
  now += 30_000;
  await lookAgain();
  expect(settlement.size).toBe(1);
  now += 1;
  await waitFor('it is forgotten', () => settlement.size === 0);
  expect(submitted).toEqual([]);
});

test.each(['before any answer', 'after an answer'])(
  'a call that arrives only when a log that said nothing for long answers again is given back: silent %s',
  async (when) => {
    if (when === 'after an answer') await lookAgain();
    stored = null;
    await lookAgain();
    now += 60_000;
    stored = [];
    await lookAgain();
    stored = [CHARGED];
    await waitFor('it is settled', () => settlement.size === 0);
    expect(submitted).toMatchObject([{ command: 'adjust-credits', credits: 5_000 }]);
  },
);

test('while lanes say nothing each is asked for one of its calls at a time, and for all once they answer', async () => {
  stored = null;
  const callOf = (last: string, call: string) => ({
    ...UNSETTLED,
    accountId: UNSETTLED.accountId.replace(/a$/, last),
    callId: UNSETTLED.callId.replace(/1$/, call),
  });
  for (const call of [callOf('a', '2'), callOf('b', '3'), callOf('b', '4')]) {
    void settlement.settle(call);
  }
  lanes = [];
  await waitFor('both are asked again', () => lanes.length >= 6);
  expect(lanes.filter((lane, index) => lane === lanes[index - 1])).toEqual([]);
  stored = [CHARGED];
  await waitFor('all are settled', () => settlement.size === 0);
  expect(submitted.length).toBe(4);
});

import type { Command } from '#account/commands.js';
import type { AccountState } from '#account/state.js';
import pg from 'pg';
import { resourceKey } from '#rating/resource-key.js';
import {
  adjust,
  allBeauty,
  callAt,
  grantCredits,
  issueApiKey,
  openAccount,
  origin,
  terms,
  TUESDAY,
} from '#account/scenario.suite.js';
import type { LostPositions } from '#event-log/lane-continuity.js';
import { laneOf, type EventLog } from '#event-log/event-log.js';
import { LaneWatch } from '#event-log/lane-watch.js';
import { MemoryEventLog } from '../../event-log/test-adapters/memory-event-log.js';
import { verifyLane } from '#event-log/verify-lane.js';
import type { AccountSource } from '#projections/loading/account-source.js';
import { TextKeys } from '#projections/texts/text-keys.js';
import { SimulatedLedger } from '../../../test/simulator/simulated-ledger.js';
import { adjustmentIdOf } from './command-id.js';
import { Accounting } from './accounting.js';
import type { Answer } from './submission.js';

const ACCOUNT = '0197c000-0000-7000-8000-00000000000a';
const NEIGHBOUR = '0197c000-0000-7000-8000-00000000004a';
/** In another group of lanes. */
const ELSEWHERE = '0197c000-0000-7000-8000-00000000002b';
const ALL = [ACCOUNT, NEIGHBOUR, ELSEWHERE];
const CLOCK = { now: () => TUESDAY };

let log: MemoryEventLog;
let lost: LostPositions[][];
let watch: LaneWatch;
let process: Accounting;
let ids = 0;

function newProcess(
  own?: LaneWatch,
  seen: { log?: EventLog; loader?: AccountSource; texts?: TextKeys } = {},
): Accounting {
  return new Accounting({
    log,
    loader: new SimulatedLedger(log),
    ...seen,
    clock: CLOCK,
    terms: () => terms,
    watch: own,
    events: { onFault: (error) => expect(error).toBeUndefined() },
    retryWait: () => new Promise((resolve) => setImmediate(resolve)),
  });
}

function newId(): string {
  ids += 1;
  return `0197c000-0000-7000-9000-${ids.toString(16).padStart(12, '0')}`;
}

function submit(
  to: Accounting,
  command: Command,
  accountId: string,
  { callId = newId(), isRetry = false } = {},
): Promise<Answer<AccountState>> {
  return to.submit({ accountId, callId, isRetry, notAfter: TUESDAY + 10_000, command });
}

function call(key?: string): Command {
  return callAt(TUESDAY, { notAfter: TUESDAY + 10_000, ...(key !== undefined && { key }) });
}

/** The balance that an answer leaves, or why it was refused. */
async function outcomeOf(answer: Promise<Answer<AccountState>>): Promise<number | string> {
  const { refusal, ...rest } = await answer;
  if (refusal !== null) return refusal.reason;
  return 'state' in rest ? rest.state.balance : 'no state';
}

async function open(accountId: string, credits: number): Promise<void> {
  for (const command of [openAccount(), issueApiKey(), grantCredits(credits)]) {
    await submit(process, command, accountId);
  }
}

async function expectSound(): Promise<void> {
  for (const lane of new Set(ALL.map(laneOf))) {
    expect(await verifyLane(log, lane)).toMatchObject({ verdict: 'intact' });
  }
  for (const id of ALL) {
    const events = await log.readAccount(id, 0, 1_000);
    expect(events.map(({ accountVersion }) => accountVersion)).toEqual(
      events.map((_, index) => index + 1),
    );
  }
}

beforeEach(async () => {
  log = new MemoryEventLog();
  lost = [];
  watch = new LaneWatch({
    log,
    onLost: (positions) => void lost.push([...positions]),
    onFault: (error) => expect(error).toBeUndefined(),
  });
  process = newProcess(watch);
  for (const id of ALL) await open(id, 200_000);
});

afterEach(expectSound);

it('goes on from a shorter lane with the balance of the log', async () => {
  const goBack = log.mark();
  expect(await outcomeOf(submit(process, call(), ACCOUNT))).toBe(150_000);
  expect(await outcomeOf(submit(process, call(), NEIGHBOUR))).toBe(150_000);
  goBack();
  expect(await outcomeOf(submit(process, call(), NEIGHBOUR))).toBe(150_000);
  expect(await outcomeOf(submit(process, grantCredits(1), ACCOUNT))).toBe(200_001);
});

it.each([1, 2, 3])('goes on from a lane that another process took on by %d', async (count) => {
  const goBack = log.mark();
  for (let n = 0; n < 2; n += 1) await submit(process, grantCredits(5), ACCOUNT);
  goBack();
  const other = newProcess();
  for (let n = 0; n < count; n += 1) await submit(other, grantCredits(7), NEIGHBOUR);
  expect(await outcomeOf(submit(process, grantCredits(1), ACCOUNT))).toBe(200_001);
  expect(await outcomeOf(submit(process, grantCredits(1), NEIGHBOUR))).toBe(200_001 + 7 * count);
});

it('charges a call again that is asked for under its id and no longer in the log', async () => {
  const goBack = log.mark();
  const callId = newId();
  await submit(process, call(), ACCOUNT, { callId });
  goBack();
  const again = await submit(process, call(), ACCOUNT, { callId, isRetry: true });
  expect(again).toMatchObject({ replayed: false, state: { balance: 150_000 } });
  const third = await submit(process, call(), ACCOUNT, { callId, isRetry: true });
  expect(third).toMatchObject({ replayed: true, state: { balance: 150_000 } });
});

it('refuses nothing on the strength of what was lost', async () => {
  const goBack = log.mark();
  await submit(process, { command: 'suspend-account', origin }, ACCOUNT);
  expect(await outcomeOf(submit(process, call(), ACCOUNT))).toBe('account-suspended');
  goBack();
  expect(await outcomeOf(submit(process, call(), ACCOUNT))).toBe(150_000);
});

it('refuses by what another process wrote at the very position that was lost', async () => {
  const goBack = log.mark();
  await submit(process, grantCredits(5), ACCOUNT);
  goBack();
  await submit(newProcess(), { command: 'suspend-account', origin }, ACCOUNT);
  expect(await outcomeOf(submit(process, call(), ACCOUNT))).toBe('account-suspended');
});

it('charges the first price again for a key whose first call was lost', async () => {
  const goBack = log.mark();
  await submit(process, call(), ACCOUNT);
  goBack();
  expect(await outcomeOf(submit(process, call(), ACCOUNT))).toBe(150_000);
});

it('charges the first price for a key that it looked up in what was lost a moment later', async () => {
  const key = resourceKey(allBeauty, '2026w47');
  const goBack = log.mark();
  const ledger = new SimulatedLedger(log);
  const loader: AccountSource = {
    load: (ids) => ledger.load(ids),
    opened: async (keys) => {
      const found = await ledger.opened(keys);
      goBack();
      return found;
    },
  };
  const looking = newProcess(undefined, { loader });
  // It knows the end to which the log comes back.
  await submit(looking, { command: 'tick' }, ACCOUNT);
  await submit(process, call(key), ACCOUNT);
  expect(await outcomeOf(submit(looking, call(key), ACCOUNT))).toBe(150_000);
});

it('decides by the other history that the log holds when it reads on', async () => {
  const goBack = log.mark();
  await submit(process, grantCredits(5), NEIGHBOUR);
  let isOther = false;
  const read: EventLog['read'] = async (...asked) => {
    if (!isOther) {
      isOther = true;
      goBack();
      const other = newProcess();
      for (let n = 0; n < 3; n += 1) await submit(other, grantCredits(7), ACCOUNT);
    }
    return log.read(...asked);
  };
  const reading = newProcess(watch, {
    log: Object.assign(Object.create(log) as EventLog, { read }),
  });
  await submit(reading, { command: 'tick' }, ACCOUNT);
  await submit(process, grantCredits(5), ACCOUNT);
  expect(await outcomeOf(submit(reading, grantCredits(1), ACCOUNT))).toBe(200_022);
});

it('reports once, of all lanes, what was lost', async () => {
  const goBack = log.mark();
  await submit(process, grantCredits(5), ACCOUNT);
  await submit(process, grantCredits(5), NEIGHBOUR);
  await submit(process, grantCredits(5), ELSEWHERE);
  goBack();
  await submit(process, call(), ELSEWHERE);
  await watch.settled();
  await submit(process, call(), ACCOUNT);
  await watch.settled();
  expect(lost).toEqual([
    [
      { lane: laneOf(ACCOUNT), from: 8, to: 6 },
      { lane: laneOf(ELSEWHERE), from: 4, to: 3 },
    ],
  ]);
});

it('drops the keys of texts of the lanes that have lost positions, and of these alone', async () => {
  // Nothing of this test says a text, so that no key is asked for.
  const texts = new TextKeys(new pg.Pool());
  const forget = jest.spyOn(texts, 'forget');
  const keeping = newProcess(watch, { texts });
  const goBack = log.mark();
  await submit(keeping, call(), ACCOUNT);
  goBack();
  await submit(keeping, call(), ACCOUNT);
  await watch.settled();
  expect(new Set(forget.mock.calls.flat())).toEqual(new Set([laneOf(ACCOUNT)]));
});

it('gives a call back that the log holds, and nothing for one that it has lost', async () => {
  const [kept, gone] = [newId(), newId()];
  const giveBack = (callId: string): Promise<Answer<AccountState>> => {
    const command = adjust(50_000, { callId, charged: 50_000 });
    return submit(process, command, ACCOUNT, { callId: adjustmentIdOf(callId), isRetry: true });
  };
  await submit(process, call(), ACCOUNT, { callId: kept });
  const goBack = log.mark();
  await submit(process, call(resourceKey(allBeauty, '2026w49')), ACCOUNT, { callId: gone });
  goBack();
  expect(await outcomeOf(giveBack(gone))).toBe('not-found');
  expect(await outcomeOf(giveBack(kept))).toBe(200_000);
  expect(await outcomeOf(giveBack(kept))).toBe(200_000);
});

it('loses nothing where the log only grew', async () => {
  const other = newProcess();
  for (let n = 0; n < 3; n += 1) {
    for (const id of ALL) await submit(n % 2 === 0 ? other : process, grantCredits(5), id);
  }
  await watch.settled();
  expect(lost).toEqual([]);
});

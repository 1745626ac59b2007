import { AccountingUnavailableError } from '#account/charging.js';
import type { Command } from '#account/commands.js';
import type { AccountState } from '#account/state.js';
import { callAt, grantCredits, issueApiKey, openAccount } from '#account/scenario.suite.js';
import { terms, TUESDAY } from '#account/scenario.suite.js';
import { laneOf, SYSTEM_LANE, type EventLog, type LaneGroups } from '#event-log/event-log.js';
import { MemoryEventLog } from '../../event-log/test-adapters/memory-event-log.js';
import type { AccountSource } from '#projections/loading/account-source.js';
import { accountInLane } from '../../../test/setup/test-events.js';
import { SimulatedLedger } from '../../../test/simulator/simulated-ledger.js';
import { Accounting, DEFAULT_LIMITS } from './accounting.js';
import type { Answer } from './submission.js';

const SOUND = '0197c000-0000-7000-8000-00000000000a';
const BROKEN = '0197c000-0000-7000-8000-00000000004a';
const WAIT_MS = 10_000;

let now: number;
let log: MemoryEventLog;
let ids = 0;

beforeEach(() => {
  now = TUESDAY;
  log = new MemoryEventLog();
});

/** The accounts are of one lane, so that all commands meet in one batch. */
function accounting(store: EventLog, loader: AccountSource): Accounting {
  return new Accounting({
    log: store,
    loader,
    clock: { now: () => now },
    terms: () => terms,
    events: { onFault: () => undefined },
    limits: { ...DEFAULT_LIMITS, batchMax: 2 },
    retryWait: async () => undefined,
  });
}

function submit(
  service: Accounting,
  command: Command,
  accountId = SOUND,
): Promise<Answer<AccountState>> {
  ids += 1;
  const callId = `0197c000-0000-7000-9000-${ids.toString(16).padStart(12, '0')}`;
  const notAfter = now + WAIT_MS;
  return service.submit({ accountId, callId, isRetry: false, notAfter, command });
}

interface Gate {
  readonly passed: Promise<void>;
  readonly open: () => void;
}

function gate(): Gate {
  let opened = (): void => undefined;
  const passed = new Promise<void>((resolve) => (opened = resolve));
  return { passed, open: () => opened() };
}

async function open(service: Accounting): Promise<void> {
  for (const command of [openAccount(), issueApiKey(), grantCredits(1_000_000)]) {
    await submit(service, command);
  }
}

it('an account that cannot be loaded fails alone', async () => {
  const source = new SimulatedLedger(log);
  const loader = Object.create(source) as AccountSource;
  loader.load = async (accountIds) => {
    if (accountIds.includes(BROKEN)) throw new Error('A newer version writes here.');
    return source.load(accountIds);
  };
  const service = accounting(log, loader);
  await open(service);
  const results = await Promise.allSettled([
    submit(service, callAt(TUESDAY), BROKEN),
    submit(service, callAt(TUESDAY)),
    submit(service, callAt(TUESDAY), BROKEN),
    submit(service, callAt(TUESDAY)),
  ]);
  expect(results.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});

it('a command that waits behind an append that hangs is answered when its time is over', async () => {
  const appending = gate();
  const released = gate();
  const store = Object.create(log) as EventLog;
  const service = accounting(store, new SimulatedLedger(log));
  await open(service);
  store.append = async (appends) => {
    appending.open();
    await released.passed;
    return log.append(appends);
  };
  const inFlight = [submit(service, callAt(TUESDAY)), submit(service, callAt(TUESDAY))];
  const waiting = submit(service, callAt(TUESDAY));
  const outcome = expect(waiting).rejects.toBeInstanceOf(AccountingUnavailableError);
  await appending.passed;

  now += WAIT_MS;
  service.giveUpLate();
  expect(service.waiting).toBe(1);
  now += 1;
  service.giveUpLate();
  await outcome;
  expect(service.waiting).toBe(0);

  released.open();
  expect((await Promise.all(inFlight)).map(({ refusal }) => refusal)).toEqual([null, null]);
  expect(await log.readAccount(SOUND, 3, 10)).toHaveLength(2);
});

it('lanes that have moved apart are appended by themselves from the next batch on', async () => {
  const [whole = []] = log.groups.filter((group) => !group.includes(SYSTEM_LANE));
  const [one, other] = whole.map((lane) => accountInLane(lane)) as [string, string];
  let groups: LaneGroups = log.groups;
  let hasMoved = false;
  const moving = Object.create(log, { groups: { get: () => groups } }) as EventLog;
  const appended: number[][] = [];
  moving.append = async (appends) => {
    const lanes = appends.map(({ end }) => end.lane);
    const isApart = hasMoved && lanes.length > 1;
    if (isApart) groups = log.groups.flatMap((group) => group.map((lane) => [lane]));
    appended.push(lanes);
    return isApart ? [] : log.append(appends);
  };
  const service = accounting(moving, new SimulatedLedger(log));
  const both = (command: Command) =>
    Promise.all([one, other].map((account) => submit(service, command, account)));
  for (const command of [openAccount(), issueApiKey(), grantCredits(1_000_000)]) {
    await both(command);
  }
  hasMoved = true;
  appended.splice(0);
  const answers = [...(await both(callAt(TUESDAY))), ...(await both(callAt(TUESDAY)))];
  expect(answers.map(({ refusal }) => refusal)).toEqual([null, null, null, null]);
  const [lane, next] = [laneOf(one), laneOf(other)];
  expect(appended).toEqual([[lane, next], [lane], [next], [lane], [next]]);
});

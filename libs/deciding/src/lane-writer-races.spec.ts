import { OutcomeUnknownError } from '#account/charging.js';
import type { Command } from '#account/commands.js';
import type { AccountState } from '#account/state.js';
import {
  callAt,
  DAY,
  grantCredits,
  issueApiKey,
  openAccount,
  origin,
  terms,
  TUESDAY,
} from '#account/scenario.suite.js';
import { AppendUncertainError, LogUnavailableError, type EventLog } from '#event-log/event-log.js';
import { MemoryEventLog } from '../../event-log/test-adapters/memory-event-log.js';
import { SimulatedLedger } from '../../../test/simulator/simulated-ledger.js';
import { Accounting } from './accounting.js';
import type { Answer } from './submission.js';

const ACCOUNT = '0197c000-0000-7000-8000-00000000000a';
const NEIGHBOUR = '0197c000-0000-7000-8000-00000000004a';
/** In another lane of the same group. */
const ELSEWHERE = '0197c000-0000-7000-8000-00000000000b';

let log: EventLog;
let now: number;
let calls = 0;

beforeEach(() => {
  log = new MemoryEventLog();
  now = TUESDAY;
});

function newProcess(store: EventLog = log): Accounting {
  return new Accounting({
    log: store,
    loader: new SimulatedLedger(log),
    clock: { now: () => now },
    terms: () => terms,
    events: { onFault: () => undefined },
    retryWait: () => new Promise((resolve) => setImmediate(resolve)),
  });
}

function submit(
  process: Accounting,
  command: Command,
  accountId = ACCOUNT,
): Promise<Answer<AccountState>> {
  calls += 1;
  const callId = `0197c000-0000-7000-9000-${calls.toString(16).padStart(12, '0')}`;
  return process.submit({ accountId, callId, isRetry: false, notAfter: now + 10_000, command });
}

async function open(process: Accounting, credits: number, accountId = ACCOUNT): Promise<void> {
  await submit(process, openAccount(), accountId);
  await submit(process, issueApiKey(), accountId);
  await submit(process, grantCredits(credits), accountId);
}

function call(changes: { key?: string } = {}): Command {
  return callAt(now, { notAfter: now + 10_000, ...changes });
}

function chargeOf(answer: Answer<AccountState>): number | string {
  if (answer.refusal !== null) return answer.refusal.reason;
  if (answer.event?.type !== 'CallMade') return 'no call';
  return answer.event.data.cost[0] + answer.event.data.cost[1];
}

/** The log, with another append the next time. */
function withAppend(append: EventLog['append']): EventLog {
  let armed = true;
  const store = Object.create(log) as EventLog;
  store.append = (appends) => {
    if (!armed) return log.append(appends);
    armed = false;
    return append(appends);
  };
  return store;
}

describe('when the window turns in the middle of a batch', () => {
  it('a key of the week before stays paid for', async () => {
    const process = newProcess();
    await open(process, 1_000_000);
    const key = '/v1/2026w48/cat1/trends/all/popindex/us/beauty';
    expect(chargeOf(await submit(process, call()))).toBe(50_000);
    now += 7 * DAY;
    const turned = await Promise.all([call(), call({ key })].map((each) => submit(process, each)));
    expect(turned.map(chargeOf)).toEqual([50_000, 10]);
  });
});

describe('what another process has written', () => {
  it('counts for the next refusal, though a refusal writes nothing itself', async () => {
    const [here, there] = [newProcess(), newProcess()];
    await open(here, 100);
    expect(chargeOf(await submit(there, call()))).toBe('out-of-credits');
    await submit(here, grantCredits(60_000));
    expect(chargeOf(await submit(there, call()))).toBe(50_000);
  });

  it('counts where there seems to be nothing to do', async () => {
    const [here, there] = [newProcess(), newProcess()];
    await open(here, 100);
    await submit(there, { command: 'tick' });
    await submit(here, { command: 'suspend-account', origin });
    const resumed = await submit(there, { command: 'resume-account', origin });
    expect(resumed).toMatchObject({ event: { type: 'AccountResumed' } });
  });
});

describe('an outage while accounts are loaded', () => {
  it('is over when it is over', async () => {
    let away = false;
    const store = Object.create(log) as EventLog;
    store.read = async (...asked) => {
      if (away) throw new LogUnavailableError('away');
      return log.read(...asked);
    };
    const other = newProcess();
    for (const id of [ACCOUNT, NEIGHBOUR, ELSEWHERE]) await open(other, 60_000, id);
    const process = newProcess(store);
    await submit(process, call());
    await submit(other, grantCredits(1), NEIGHBOUR);
    away = true;
    const both = [submit(process, call(), NEIGHBOUR), submit(process, call(), ELSEWHERE)];
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toContain('rejected');
    away = false;
    for (const id of [NEIGHBOUR, ELSEWHERE]) {
      expect(typeof chargeOf(await submit(process, call(), id))).toBe('number');
    }
  });
});

describe('a call whose commit went away', () => {
  it('is answered when it was committed, also if its key was revoked since', async () => {
    const other = newProcess();
    await open(other, 60_000);
    const revoke: Command = { command: 'revoke-api-key', origin, keyId: 'key-1', wasIssued: true };
    const process = newProcess(
      withAppend(async (appends) => {
        await log.append(appends);
        await submit(other, revoke);
        throw new AppendUncertainError('lost');
      }),
    );
    const answer = await submit(process, call());
    expect([chargeOf(answer), 'replayed' in answer && answer.replayed]).toEqual([50_000, false]);
  });

  it('is not refused as long as it may still be committed', async () => {
    await open(newProcess(), 60_000);
    let commit: () => Promise<unknown> = async () => undefined;
    const process = newProcess(
      withAppend(async (appends) => {
        commit = () => log.append(appends);
        now += 60_000;
        throw new AppendUncertainError('lost');
      }),
    );
    await expect(submit(process, call())).rejects.toBeInstanceOf(OutcomeUnknownError);
    expect(await commit()).toHaveLength(1);
  });

  it('is refused once its lane has moved on without it', async () => {
    const other = newProcess();
    await open(other, 60_000);
    const process = newProcess(
      withAppend(async () => {
        await submit(other, { command: 'suspend-account', origin });
        throw new AppendUncertainError('lost');
      }),
    );
    expect(chargeOf(await submit(process, call()))).toBe('account-suspended');
  });
});

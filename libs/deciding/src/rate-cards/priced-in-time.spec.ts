import type { Fold } from '#event-log/fold.js';
import { AccountingUnavailableError } from '#account/charging.js';
import type { Command } from '#account/commands.js';
import {
  callAt,
  grantCredits,
  issueApiKey,
  openAccount,
  terms,
  TUESDAY,
} from '#account/scenario.suite.js';
import { LogUnavailableError } from '#event-log/event-log.js';
import { MemoryEventLog } from '../../../event-log/test-adapters/memory-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { SimulatedLedger } from '../../../../test/simulator/simulated-ledger.js';
import { Accounting } from '../accounting.js';
import { LiveTerms } from '../live-terms.js';
import { SystemChanges } from '../changes/system-changes.js';
import { RateCards } from './rate-cards.js';

const ACCOUNT = '0197c000-0000-7000-8000-00000000000a';
const NEXT_TUESDAY = '2026-12-01T00:00:00Z';
const { calendar } = terms;
const change = { by: 'owner', requestId: 'request-1', idempotencyKey: null, input: 'abc' };

let now: number;
let isAway: boolean;
let log: MemoryEventLog;
let accounting: Accounting;
let live: LiveTerms;
let commands: number;

/** This process does not look at the log by itself; another one publishes. */
beforeEach(async () => {
  [now, isAway, commands] = [TUESDAY, false, 0];
  log = new MemoryEventLog();
  const own = new SystemStream(log);
  const read = async <Value>(fold: Fold<Value>) => {
    if (isAway) throw new LogUnavailableError('The log is away.');
    return own.read(fold);
  };
  const clock = { now: () => now };
  live = new LiveTerms({ stream: { read }, calendar, clock, onFault: () => undefined });
  await live.refresh();
  accounting = new Accounting({
    log,
    loader: new SimulatedLedger(log),
    clock,
    terms: () => live.terms(),
    liveTerms: live,
    events: { onFault: () => undefined },
  });
});

afterEach(() => accounting.stop());

/** Another process publishes a card whose calls cost 1 credit and whose data cost 2. */
async function publish(window: string | null): Promise<void> {
  const stream = new SystemStream(log);
  const clock = { now: () => now };
  const liveTerms = new LiveTerms({ stream, calendar, clock, onFault: () => undefined });
  const changes = new SystemChanges(stream, clock);
  const parts = { changes, liveTerms, calendar, clock, clockState: () => ({ ready: true }) };
  const rules = [{ name: 'all', match: {}, data_cost: { flat: 2 } }];
  const proposed = { effective_window: window, call_cost: 1, rules };
  const { replayed } = await new RateCards(parts).publish(change, proposed);
  expect(replayed).toBe(false);
}

async function submit(command: Command) {
  commands += 1;
  const callId = `0197c000-0000-7000-9000-${commands.toString(16).padStart(12, '0')}`;
  const notAfter = Infinity;
  return accounting.submit({ accountId: ACCOUNT, callId, isRetry: false, notAfter, command });
}

async function open(changes: Parameters<typeof openAccount>[0]): Promise<void> {
  for (const command of [openAccount(changes), issueApiKey(), grantCredits(1_000_000)]) {
    expect((await submit(command)).refusal).toBeNull();
  }
}

/** The version of the card that a call at a moment is priced by. */
async function cardOfCall(at: number): Promise<number> {
  const answer = await submit(callAt(at, { notAfter: Infinity }));
  if (answer.refusal !== null || answer.event?.type !== 'CallMade') {
    throw new Error(JSON.stringify(answer));
  }
  return answer.event.data.card;
}

describe('a process that has not seen the log for 30 s', () => {
  it('decides nothing, and goes on once it has seen it', async () => {
    await open({});
    now += 30_001;
    await expect(cardOfCall(now)).rejects.toThrow(AccountingUnavailableError);
    await live.refresh();
    expect(await cardOfCall(now)).toBe(RATE_CARD_1.version);
  });
});

describe('a card that another process has published a moment ago', () => {
  it('prices an account that names it at once', async () => {
    await publish(null);
    await open({ rateCard: 2 });
    expect(await cardOfCall(now)).toBe(2);
  });

  it('prices a window that a test clock has moved into', async () => {
    await open({ test: true, testClock: TUESDAY });
    expect(await cardOfCall(TUESDAY)).toBe(1);
    await publish('2026w49');
    await submit({
      command: 'move-test-clock',
      origin: { by: 'owner', request: 'request-2', input: 'def' },
      now: Date.parse(NEXT_TUESDAY),
    });
    expect(await cardOfCall(Date.parse(NEXT_TUESDAY))).toBe(2);
  });

  it('keeps calls waiting for nothing: without the log they are refused and not charged', async () => {
    await open({ test: true, testClock: TUESDAY });
    isAway = true;
    await expect(cardOfCall(TUESDAY)).rejects.toThrow(AccountingUnavailableError);
    isAway = false;
    expect(await cardOfCall(TUESDAY)).toBe(1);
  });
});

describe('a card for a window', () => {
  it('prices from the first call of that window on, and none before', async () => {
    await open({});
    await publish('2026w49');
    await live.refresh();
    now = Date.parse(NEXT_TUESDAY) - 1;
    await live.refresh();
    expect(await cardOfCall(now)).toBe(1);
    now += 1;
    expect(await cardOfCall(now)).toBe(2);
  });

  it('does not price an account that has a card of its own', async () => {
    await open({ rateCard: 1 });
    await publish('2026w49');
    now = Date.parse(NEXT_TUESDAY);
    await live.refresh();
    expect(await cardOfCall(now)).toBe(1);
  });
});

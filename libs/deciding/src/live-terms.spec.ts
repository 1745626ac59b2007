import { NOTHING, type Fold } from '#event-log/fold.js';
import { TUESDAY } from '#account/scenario.suite.js';
import { Calendar } from '#calendar/calendar.js';
import { LogUnavailableError } from '#event-log/event-log.js';
import { MemoryEventLog } from '../../event-log/test-adapters/memory-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { RATE_CARD_PUBLISHED } from '#rating/rate-card-events.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { LiveTerms } from './live-terms.js';

const SECOND = 1_000;
const who = { by: 'owner', request: 'request-1', input: 'abc' };

let now: number;
let isAway: boolean;
let reads: number;
let writer: SystemStream;
let faults: unknown[];
let terms: LiveTerms;

/** The process under test follows a stream of its own; `writer` is another process. */
beforeEach(() => {
  [now, isAway, reads, faults] = [TUESDAY, false, 0, []];
  const log = new MemoryEventLog();
  writer = new SystemStream(log);
  const own = new SystemStream(log);
  const read = async <Value>(fold: Fold<Value>) => {
    reads += 1;
    if (isAway) throw new LogUnavailableError('The log is away.');
    return own.read(fold);
  };
  terms = new LiveTerms({
    stream: { read },
    calendar: new Calendar('UTC'),
    clock: { now: () => now },
    onFault: (error) => faults.push(error),
    pollMs: 1,
  });
});

afterEach(() => terms.stop());

async function publish(version: number, changes: object = {}): Promise<void> {
  const card = { ...RATE_CARD_1, version, effective_window: '2026w50', ...changes, ...who };
  await writer.append(NOTHING, () => ({
    callId: null,
    type: RATE_CARD_PUBLISHED,
    at: now,
    data: card,
  }));
}

function versions(): number[] {
  return terms.terms().cards.map(({ version }) => version);
}

describe('what calls are priced by', () => {
  it('is the first card and every one that was published', async () => {
    await terms.refresh();
    expect(versions()).toEqual([1]);
    await publish(2);
    await terms.refresh();
    expect(versions()).toEqual([1, 2]);
  });

  it('is the same object until another card is published', async () => {
    await terms.refresh();
    const before = terms.terms();
    await terms.refresh();
    expect(terms.terms()).toBe(before);
  });

  it('follows what other processes publish', async () => {
    await terms.refresh();
    terms.start();
    await publish(2);
    await waitFor('the card', () => versions().length === 2);
  });

  it('is not touched by a card with members that only a newer program knows', async () => {
    await terms.refresh();
    await publish(2, { rules: [{ ...RATE_CARD_1.rules[5], match: { season: 'winter' } }] });
    await expect(terms.refresh()).rejects.toThrow('A newer version writes here');
    expect(versions()).toEqual([1]);
  });
});

describe('a process is ready to price', () => {
  it('not before it has read the log', async () => {
    expect(terms.state().ready).toBe(false);
    await terms.refresh();
    expect(terms.state()).toEqual({ ready: true });
  });

  it.each([
    [30 * SECOND, true],
    [30 * SECOND + 1, false],
  ])('%i ms after its last look: %s', async (ms, ready) => {
    await terms.refresh();
    now += ms;
    expect(terms.state().ready).toBe(ready);
  });

  it('by the moment at which a look began, not by when it was answered', async () => {
    const looking = terms.refresh();
    now += 31 * SECOND;
    await looking;
    expect(terms.state()).toEqual({ ready: false, detail: expect.stringContaining('31 s ago') });
  });

  it('not while the log is away for long, which it reports once, and again once it is back', async () => {
    await terms.refresh();
    terms.start();
    isAway = true;
    now += 31 * SECOND;
    const before = reads;
    await waitFor('several looks', () => reads > before + 3);
    expect(terms.state().ready).toBe(false);
    expect(faults).toHaveLength(1);
    isAway = false;
    await waitFor('a look', () => terms.state().ready);
  });
});

describe('a card that somebody names', () => {
  it('is looked for in the log before it is said not to be there', async () => {
    await terms.refresh();
    await publish(2);
    expect(await terms.has(2)).toBe(true);
    expect(await terms.has(3)).toBe(false);
  });

  it('costs no look where it is known', async () => {
    await terms.refresh();
    expect([await terms.has(1), reads]).toEqual([true, 1]);
  });

  it('is not said not to be there while the log is away', async () => {
    await terms.refresh();
    isAway = true;
    await expect(terms.has(2)).rejects.toThrow(LogUnavailableError);
  });
});

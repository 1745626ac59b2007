import { AccountingUnavailableError } from '#account/charging.js';
import { Calendar } from '#calendar/calendar.js';
import { LogUnavailableError, SYSTEM_LANE } from '#event-log/event-log.js';
import { MemoryEventLog } from '../../../event-log/test-adapters/memory-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import type { PartState } from '#web/readiness.js';
import { LiveTerms } from '../live-terms.js';
import { SystemChanges } from '../changes/system-changes.js';
import { RateCards } from './rate-cards.js';

const NOW = Date.UTC(2026, 10, 24, 9);
const proposed = { effective_window: '2026w49', call_cost: 12, rules: RATE_CARD_1.rules };
const change = { by: 'owner', requestId: 'request-1', idempotencyKey: 'card-1', input: 'abc' };
const calendar = new Calendar('UTC');

let log: MemoryEventLog;
let clockState: PartState;
let rateCards: RateCards;

beforeEach(() => {
  log = new MemoryEventLog();
  clockState = { ready: true };
  rateCards = process();
});

function process(): RateCards {
  const stream = new SystemStream(log);
  const clock = { now: () => NOW };
  const liveTerms = new LiveTerms({ stream, calendar, clock, onFault: () => undefined });
  const changes = new SystemChanges(stream, clock);
  return new RateCards({ changes, liveTerms, calendar, clock, clockState: () => clockState });
}

async function versions(): Promise<number[]> {
  return (await rateCards.published()).map(({ card }) => card.version);
}

describe('a card is published once', () => {
  it.each(['lost-before-commit', 'lost-after-commit'] as const)(
    'when its commit was %s',
    async (fate) => {
      log.interruptNext(fate);
      expect((await rateCards.publish(change, proposed)).replayed).toBe(false);
      expect(await versions()).toEqual([1, 2]);
    },
  );

  it('when several processes are asked under one key', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => process().publish(change, proposed)),
    );
    expect(outcomes.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await versions()).toEqual([1, 2]);
  });

  it('and under the next number each, when several are published at once', async () => {
    await Promise.all(
      Array.from({ length: 5 }, () =>
        process().publish({ ...change, idempotencyKey: null }, proposed),
      ),
    );
    expect(await versions()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('no card is published', () => {
  it('by a clock that cannot be trusted', async () => {
    clockState = { ready: false, detail: 'it has jumped' };
    await expect(rateCards.publish(change, proposed)).rejects.toThrow(AccountingUnavailableError);
    expect(await log.read(SYSTEM_LANE, 0, 10)).toEqual([]);
  });

  it('while the log is away', async () => {
    log.interruptNext('unreachable');
    await expect(rateCards.publish(change, proposed)).rejects.toThrow(LogUnavailableError);
    expect(await versions()).toEqual([1]);
  });

  it('under a key that named another request', async () => {
    await rateCards.publish(change, proposed);
    await expect(rateCards.publish({ ...change, input: 'def' }, proposed)).rejects.toMatchObject({
      problem: { slug: 'idempotency-conflict' },
    });
    expect(await versions()).toEqual([1, 2]);
  });
});

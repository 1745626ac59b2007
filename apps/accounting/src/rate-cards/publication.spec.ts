import { NOTHING } from '#event-log/fold.js';
import { AccountingUnavailableError } from '#account/charging.js';
import { Calendar } from '#calendar/calendar.js';
import { LogUnavailableError, SYSTEM_LANE } from '#event-log/event-log.js';
import { MemoryEventLog } from '#event-log/memory-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import type { PartState } from '#web/readiness.js';
import { LiveTerms } from '#deciding/live-terms.js';
import { RateCards } from '#deciding/rate-cards/rate-cards.js';

const NOW = Date.UTC(2026, 10, 24, 9);
const ID = '0197c000-0000-7000-9000-000000000001';
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
  return new RateCards({ stream, liveTerms, calendar, clock, clockState: () => clockState });
}

async function versions(): Promise<number[]> {
  return (await rateCards.published()).map(({ card }) => card.version);
}

describe('a card is published once', () => {
  it.each(['lost-before-commit', 'lost-after-commit'] as const)(
    'when its commit was %s',
    async (fate) => {
      log.interruptNext(fate);
      expect(await rateCards.publish(ID, change, proposed)).toMatchObject({ outcome: 'published' });
      expect(await versions()).toEqual([1, 2]);
    },
  );

  it('when several processes are asked under one id', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => process().publish(ID, change, proposed)),
    );
    const replayed = outcomes.map((outcome) => outcome.outcome === 'published' && outcome.replayed);
    expect(replayed.filter((again) => !again)).toHaveLength(1);
    expect(await versions()).toEqual([1, 2]);
  });

  it('and under the next number each, when several are published at once', async () => {
    await Promise.all(
      Array.from({ length: 5 }, () => process().publish(crypto.randomUUID(), change, proposed)),
    );
    expect(await versions()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('no card is published', () => {
  it('by a clock that cannot be trusted', async () => {
    clockState = { ready: false, detail: 'it has jumped' };
    await expect(rateCards.publish(ID, change, proposed)).rejects.toThrow(
      AccountingUnavailableError,
    );
    expect(await log.read(SYSTEM_LANE, 0, 10)).toEqual([]);
  });

  it('while the log is away', async () => {
    log.interruptNext('unreachable');
    await expect(rateCards.publish(ID, change, proposed)).rejects.toThrow(LogUnavailableError);
    expect(await versions()).toEqual([1]);
  });

  it('under an id that another event of the system has', async () => {
    const at = NOW;
    await new SystemStream(log).append(NOTHING, () => ({
      callId: ID,
      type: 'Other',
      at,
      data: {},
    }));
    expect(await rateCards.publish(ID, change, proposed)).toEqual({
      outcome: 'idempotency-conflict',
    });
  });
});

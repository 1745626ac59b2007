import fc from 'fast-check';
import { evolveAll } from './advance.js';
import { decide } from './decide.js';
import type { AccountEvent } from './events.js';
import { evolve } from './evolve.js';
import { history, opening, run } from './histories.suite.js';
import type { AccountState } from './state.js';
import { after, hold, HOUR, prepaid, release, settle, terms, TUESDAY } from './scenario.suite.js';

const RUNS = { numRuns: 150 };

describe('whatever happens to holds', () => {
  /** Each event of a random history between its states. */
  const eachEvent = (
    look: (event: AccountEvent, before: AccountState, after: AccountState) => void,
  ): void =>
    fc.assert(
      fc.property(opening, history, (account, steps) => {
        run(account, steps, ({ before, decision }) => {
          let state = before;
          for (const event of decision.events) {
            const next = evolve(state, event);
            look(event, state, next);
            state = next;
          }
        });
      }),
      RUNS,
    );
  const openOf = ({ holds }: AccountState, id: string) => holds?.open.find((one) => one.id === id);

  it('a placement never holds more than balance and overdraft', () => {
    eachEvent((event, _, { balance, overdraft, plan: inForce, holds }) => {
      if (event.type !== 'HoldPlaced' || overdraft === null || inForce !== null) return;
      expect(balance - (holds?.credits ?? 0)).toBeGreaterThanOrEqual(-overdraft);
    });
  });

  it('a hold has one end', () => {
    fc.assert(
      fc.property(opening, history, (account, steps) => {
        const ended: string[] = [];
        run(account, steps, ({ decision: { events } }) => {
          for (const { data } of events)
            if ('hold' in data && !('key' in data && 'call' in data)) ended.push(data.hold ?? '');
        });
        const named = ended.filter((id) => id !== '');
        expect(new Set(named).size).toBe(named.length);
      }),
      RUNS,
    );
  });

  it('a settlement charges at most what is held, or its ceiling where it may go beyond', () => {
    eachEvent((event, before) => {
      if (event.type !== 'CallMade' || event.data.hold === undefined) return;
      const { cost, hold: id } = event.data;
      const one = openOf(before, id);
      const charged = cost[0] + cost[1];
      const most = one?.over === 'extend' ? (one.max ?? Infinity) : one?.credits;
      expect(charged).toBeLessThanOrEqual(most ?? -1);
    });
  });

  it('no placement and no charge takes what is spent and held beyond a budget that blocks', () => {
    eachEvent((event, before, next) => {
      if (event.type !== 'HoldPlaced' && event.type !== 'CallMade') return;
      for (const budget of next.budgets) {
        if (budget.action !== 'block') continue;
        const { apiKey, limit, period } = budget;
        const sum = (state: AccountState): number => {
          const use = period === 'month' ? state.monthUse : state.windowUse;
          const spent =
            apiKey === null
              ? use.credits
              : (use.creditsByKey.find(([key]) => key === apiKey)?.[1] ?? 0);
          const open = state.holds?.open ?? [];
          const held = open.filter((one) => apiKey === null || one.apiKey === apiKey);
          return held.reduce((credits, one) => credits + one.credits, spent);
        };
        // A limit may have been put below what was spent and held before.
        expect(sum(next)).toBeLessThanOrEqual(Math.max(limit, sum(before)));
      }
    });
  });

  it('the same end again changes nothing, whichever came first', () => {
    const ends = fc.shuffledSubarray(['settle', 'release', 'expire'] as const, { minLength: 3 });
    fc.assert(
      fc.property(ends, fc.integer({ min: 0, max: 90_000 }), (order, held) => {
        let state = after(prepaid(90_000), TUESDAY, hold(TUESDAY, 'h1', { credits: held }));
        let charged = 0;
        let count = 0;
        for (const end of order) {
          const at = end === 'expire' ? TUESDAY + HOUR : state.lastAt;
          const command =
            end === 'settle'
              ? settle('h1', 7)
              : end === 'release'
                ? release('h1')
                : ({ command: 'tick' } as const);
          const { events } = decide(state, command, at, terms);
          count += events.length;
          charged += state.balance;
          state = evolveAll(state, events);
          charged -= state.balance;
        }
        expect(count).toBe(1);
        expect(charged).toBe(order[0] === 'settle' ? Math.min(held, 50_000) : 0);
      }),
    );
  });
});

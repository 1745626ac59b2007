import fc from 'fast-check';
import { parseResourcePath } from '#rating/resource-path.js';
import { advance, evolveAll, nextEvent } from './advance.js';
import { auditEvent, auditState, type AuditTerms } from './audit.js';
import type { CallMade } from './calls.js';
import type { AccountEvent } from './events.js';
import { evolve } from './evolve.js';
import { history, opening, run, type Stage } from './histories.suite.js';
import { brokenInvariants, brokenLimit, DAY, terms, TUESDAY } from './scenario.suite.js';

const RUNS = { numRuns: 150 };
const auditTerms: AuditTerms = {
  ...terms,
  resourceOf: (key) => {
    const parsed = parseResourcePath(key);
    return parsed.outcome === 'resource' ? parsed.resource : undefined;
  },
};

function callOf({ decision: { events, own } }: Stage): CallMade | null {
  const event = own === null ? undefined : events[own];
  return event?.type === 'CallMade' ? event.data : null;
}

/** Every event of a random history with the state before it. */
function eachEvent(
  look: (event: AccountEvent, before: Stage['before']) => void,
): fc.IPropertyWithHooks<[Parameters<typeof run>[0], Parameters<typeof run>[1]]> {
  return fc.property(opening, history, (account, steps) => {
    run(account, steps, ({ before, decision }) => {
      let state = before;
      for (const event of decision.events) {
        look(event, state);
        state = evolve(state, event);
      }
    });
  });
}

describe('whatever happens to an account', () => {
  it('its balance is the sum of what happened, held by its grants, and never goes below its limit', () => {
    const check = eachEvent((event, before) => {
      const after = evolve(before, event);
      expect([...brokenInvariants(after), ...brokenLimit(before, after)]).toEqual([]);
      expect(auditState(after)).toBeNull();
    });
    fc.assert(check, RUNS);
  });

  it('each key costs one base and otherwise 10, in every order of calls', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const bases = new Map<string, number>();
        run({ overdraft: null }, steps, (stage) => {
          const made = callOf(stage);
          // Of past weeks the log knows the keys, which the state alone does not.
          if (made === null || made.window !== undefined) return;
          if (made.kind === 'base') bases.set(made.key, (bases.get(made.key) ?? 0) + 1);
          else expect(made.cost).toEqual([10 - (made.waived ?? 0), 0]);
          expect(bases.get(made.key)).toBe(1);
        });
      }),
      RUNS,
    );
  });

  it('a call draws exactly its cost, as far as grants cover it', () => {
    fc.assert(
      fc.property(opening, history, (account, steps) => {
        run(account, steps, (stage) => {
          const made = callOf(stage);
          if (made === null) return;
          const cost = made.cost[0] + made.cost[1];
          const drawn = made.draws.reduce((sum, [, credits]) => sum + credits, 0);
          const before = made.balance + cost;
          expect(drawn).toBe(Math.min(cost, Math.max(before, 0)));
        });
      }),
      RUNS,
    );
  });

  it('time never runs backwards in its events', () => {
    fc.assert(
      eachEvent((event, { lastAt }) => expect(event.at).toBeGreaterThanOrEqual(lastAt)),
      RUNS,
    );
  });

  it('nothing is left to be recorded or reported after a command', () => {
    fc.assert(
      fc.property(opening, history, (account, steps) => {
        run(account, steps, ({ at, after, decision: { refusal } }) => {
          const isRecorded = after.version > 0 && refusal?.reason !== 'account-closed';
          if (isRecorded) expect(nextEvent(after, at, terms.calendar)).toBeNull();
        });
      }),
      RUNS,
    );
  });

  it('a threshold, a block, a forecast, a month and a window are reported at most once', () => {
    fc.assert(
      fc.property(opening, history, (account, steps) => {
        const names: string[] = [];
        run(account, steps, ({ decision: { events } }) => {
          for (const event of events) names.push(...nameOf(event));
        });
        expect(new Set(names).size).toBe(names.length);
      }),
      RUNS,
    );
  });

  it('each of its events is what would be decided again', () => {
    fc.assert(
      fc.property(opening, history, (account, steps) => {
        const opened = new Set<string>();
        run(account, steps, ({ before, decision: { events } }) => {
          let state = before;
          for (const event of events) {
            const key = 'key' in event.data ? event.data.key : '';
            expect(auditEvent(state, event, opened.has(key), auditTerms)).toBeNull();
            if (event.type === 'CallMade') opened.add(key);
            state = evolve(state, event);
          }
        });
      }),
      RUNS,
    );
  });

  it('its future by itself is the same in one step and in two', () => {
    const days = fc.integer({ min: 0, max: 100 * DAY });
    fc.assert(
      fc.property(opening, history, days, days, (account, steps, first, second) => {
        let now = TUESDAY;
        const state = run(account, steps, ({ at }) => (now = at));
        const half = advance(state, now + first, terms.calendar);
        const rest = advance(evolveAll(state, half), now + first + second, terms.calendar);
        expect([...half, ...rest]).toEqual(advance(state, now + first + second, terms.calendar));
      }),
      RUNS,
    );
  });
});

/** Names that no other event may share. */
function nameOf({ type, data }: AccountEvent): string[] {
  if (type === 'MonthClosed') return [`${type} ${data.month}`];
  if (type === 'WindowClosed') return [`${type} ${data.window}`];
  if (type === 'BudgetThresholdCrossed') {
    return [`${type} ${data.budget_id} ${data.period} ${data.threshold}`];
  }
  if (type === 'BudgetBlocked' || type === 'BudgetForecastExceeded') {
    return [`${type} ${data.budget_id} ${data.period}`];
  }
  return [];
}

import fc from 'fast-check';
import type { Listing } from '#rating/resource.js';
import { evolveAll } from './advance.js';
import type { Command } from './commands.js';
import type { CallMade } from './events.js';
import { decide } from './decide.js';
import { initialState, type AccountState } from './state.js';
import {
  adjust,
  allBeauty,
  brokenInvariants,
  callAt,
  DAY,
  grantCredits,
  issueApiKey,
  openAccount,
  origin,
  terms,
  TUESDAY,
} from './scenario.suite.js';

type Step = (at: number) => Command;

const listing = fc.record({
  limit: fc.constantFrom<Listing['limit']>('top5', 'top100', 'all'),
  category: fc.constantFrom('beauty', 'nails', 'skincare'),
  region: fc.constantFrom<Listing['region']>('us', 'fr'),
});

const call: fc.Arbitrary<Step> = listing.map(
  (changes) => (at) => callAt(at, { resource: { ...allBeauty, ...changes }, rows: 20 }),
);
const grant: fc.Arbitrary<Step> = fc
  .record({
    credits: fc.integer({ min: 1, max: 80_000 }),
    days: fc.option(fc.integer({ min: 1, max: 9 })),
    priority: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ credits, days, priority }) => (at) => {
    const expiresAt = days === null ? null : at + days * DAY;
    return grantCredits(credits, { expiresAt, priority });
  });
const adjustment: fc.Arbitrary<Step> = fc
  .integer({ min: -30_000, max: 30_000 })
  .filter((credits) => credits !== 0)
  .map((credits) => () => adjust(credits));
const others: fc.Arbitrary<Step> = fc.constantFrom<Step>(
  () => ({ command: 'tick' }),
  () => ({ command: 'suspend-account', origin }),
  () => ({ command: 'resume-account', origin }),
);
const step = fc.oneof(
  { weight: 6, arbitrary: call },
  { weight: 2, arbitrary: grant },
  adjustment,
  others,
);
const history = fc.array(fc.tuple(fc.integer({ min: 0, max: DAY }), step), { maxLength: 60 });
const overdraft = fc.constantFrom(0, 500, 100_000, null);

/** Runs a history, refusals included, and shows every state and every call to the one who looks. */
function run(
  limit: number | null,
  steps: readonly (readonly [number, Step])[],
  look: (state: AccountState, call: CallMade | null, at: number) => void,
): AccountState {
  let at = TUESDAY;
  let state = initialState;
  const apply = (command: Command): void => {
    const { events, own } = decide(state, command, at, terms);
    state = evolveAll(state, events);
    const event = own === null ? undefined : events[own];
    look(state, event?.type === 'CallMade' ? event.data : null, at);
  };
  apply(openAccount({ overdraft: limit }));
  apply(issueApiKey());
  for (const [pause, next] of steps) {
    at += pause;
    apply(next(at));
  }
  return state;
}

describe('whatever happens to an account', () => {
  it('its balance is the sum of what happened, held by its grants, and never below its limit', () => {
    fc.assert(
      fc.property(overdraft, history, (limit, steps) => {
        run(limit, steps, (state) => expect(brokenInvariants(state)).toEqual([]));
      }),
      { numRuns: 300 },
    );
  });

  it('each key costs one base and otherwise 10, in every order of calls', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const bases = new Map<string, number>();
        run(null, steps, (_state, made) => {
          if (made === null) return;
          if (made.kind === 'base') bases.set(made.key, (bases.get(made.key) ?? 0) + 1);
          else expect(made.cost).toEqual([10, 0]);
          expect(bases.get(made.key)).toBe(1);
        });
      }),
      { numRuns: 300 },
    );
  });

  it('a call draws exactly its cost, as far as grants cover it', () => {
    fc.assert(
      fc.property(overdraft, history, (limit, steps) => {
        run(limit, steps, (_state, made) => {
          if (made === null) return;
          const cost = made.cost[0] + made.cost[1];
          const drawn = made.draws.reduce((sum, [, credits]) => sum + credits, 0);
          const before = made.balance + cost;
          expect(drawn).toBe(Math.min(cost, Math.max(before, 0)));
        });
      }),
      { numRuns: 300 },
    );
  });

  it('time never runs backwards in its events', () => {
    fc.assert(
      fc.property(history, (steps) => {
        let last = 0;
        run(null, steps, ({ lastAt }) => {
          expect(lastAt).toBeGreaterThanOrEqual(last);
          last = lastAt;
        });
      }),
    );
  });
});

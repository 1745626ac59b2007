import fc from 'fast-check';
import type { Command } from '#account/commands.js';
import { decide } from '#account/decide.js';
import type { AccountEvent } from '#account/events.js';
import { evolve } from '#account/evolve.js';
import { restOfMonth } from '#account/forecast.js';
import { CREDITS_MAX, PRICE_MAX } from '#account/limits.js';
import { type AccountState, initialState } from '#account/state.js';
import type { Plan } from '#account/terms.js';
import {
  adjust,
  callAt,
  changeAccount,
  DAY,
  grantCredits,
  issueApiKey,
  openAccount,
  origin,
  terms,
  TUESDAY,
  voidGrant,
} from '#account/scenario.suite.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { draftInvoice } from './draft-invoice.js';
import { untilMet } from '#account/until-met.suite.js';
import { forecastMonth } from './forecast-month.js';
import type { MonthFacts } from './month-facts.js';
import { monthFactsFromEvents } from './month-facts-from-events.js';
import { invoiceTerms, utc } from './months.suite.js';

/** Numbers as they are mistyped: tiny, round, or all digits that fit. */
function upTo(most: number): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(0, 1, most, most - 1, Math.floor(most / 2)),
    fc.integer({ min: 0, max: most }),
  );
}

const credits = upTo(CREDITS_MAX).map((count) => Math.max(1, count));
const plan: fc.Arbitrary<Plan> = fc.record({
  monthly_fee: upTo(PRICE_MAX),
  included_credits: upTo(CREDITS_MAX),
  price_per_1000_credits: upTo(PRICE_MAX),
  tax: fc.constantFrom<Plan['tax']>(
    { category: 'S', rate_percent: 100 },
    { category: 'O', rate_percent: 0 },
  ),
});
const card = credits.map((cost) => {
  const rules = [
    { name: 'all', match: {}, data_cost: { flat: Math.floor((CREDITS_MAX - cost) / 9) } },
  ];
  return { ...RATE_CARD_1, version: 2, effective_window: null, call_cost: cost, rules };
});

const profile = { id: 'billing-1', sha256: 'ab'.repeat(32) };

type Step = (at: number, state: AccountState) => Command;
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(credits, fc.option(upTo(PRICE_MAX)), fc.uuid()).map(
    ([count, price, grantId]): Step =>
      () =>
        grantCredits(count, { price, grantId }),
  ),
  credits.map(
    (count): Step =>
      () =>
        adjust(count),
  ),
  credits.map(
    (count): Step =>
      () =>
        adjust(-count),
  ),
  fc.uuid().map(
    (callId): Step =>
      (at) =>
        callAt(at, { callId }),
  ),
  fc.option(plan).map(
    (next): Step =>
      () =>
        changeAccount({ plan: next }),
  ),
  fc.constant<Step>((_at, { grants }) => voidGrant(grants[0]?.id ?? '')),
  fc.option(upTo(CREDITS_MAX)).map(
    (overdraft): Step =>
      () =>
        changeAccount({ overdraft }),
  ),
  fc.constant<Step>(() => ({ command: 'close-account', origin })),
);
const life = fc.record({
  overdraft: fc.option(upTo(CREDITS_MAX)),
  plan: fc.option(plan),
  rateCard: fc.constantFrom(null, 2),
  card,
  steps: fc.array(fc.tuple(fc.integer({ min: 0, max: 12 * DAY }), step), { maxLength: 40 }),
});

test('whatever is accepted, each month has a draft and a forecast in numbers that are exact', async () => {
  const seen = { overage: 0, refused: 0, purchases: 0 };
  await untilMet(
    fc.property(life, ({ card: dear, steps, ...account }) => {
      const known = { ...terms, cards: [RATE_CARD_1, dear] };
      const events: AccountEvent[] = [];
      let [at, state] = [TUESDAY, initialState];
      const apply = (command: Command): void => {
        const decision = decide(state, command, at, known);
        if (decision.refusal !== null) seen.refused += 1;
        for (const event of decision.events) state = evolve(state, event);
        events.push(...decision.events);
      };
      const look = (facts: MonthFacts): void => {
        const { net, total, lines } = draftInvoice(facts, invoiceTerms());
        const soFar = { facts, net, more: restOfMonth(state, at, known) };
        const numbers = [net, total, ...Object.values(forecastMonth(soFar))];
        expect(numbers.filter((number) => !Number.isSafeInteger(number))).toEqual([]);
        seen.overage += facts.closing.overage > 0 ? 1 : 0;
        seen.purchases += lines.some(({ type }) => type === 'purchase') ? 1 : 0;
      };
      apply(openAccount(account));
      apply({ command: 'change-billing', origin, profile, purchases: 'monthly' });
      apply(issueApiKey());
      for (const [pause, next] of steps) {
        at += pause;
        apply(next(at, state));
      }
      const { closed, running } = monthFactsFromEvents(events, utc);
      for (const facts of running === null ? closed : [...closed, running]) look(facts);
    }),
    { numRuns: 400 },
    () => Math.min(...Object.values(seen)) > 0,
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

import fc from 'fast-check';
import { evolveAll } from '#account/advance.js';
import { initialState } from '#account/state.js';
import { history, opening } from '#account/histories.suite.js';
import { untilMet } from '#account/until-met.suite.js';
import { creditLiability } from './credit-liability.js';
import { grantMonths } from './month-facts.js';
import { monthFactsFromEvents } from './month-facts-from-events.js';
import { eventsOf, utc } from './months.suite.js';
import { purchasedGrants } from './purchased-grants.js';

/** The label of the month before. */
function monthBefore(month: string): string {
  const { startsAt } = utc.monthOf(month) ?? { startsAt: 0 };
  return utc.monthAt(startsAt - 1).label;
}

test('each month of a random history is computed as from all of its events', async () => {
  let compared = 0;
  const check = fc.property(opening, history, (account, steps) => {
    const events = eventsOf(account, steps);
    const state = evolveAll(initialState, events);
    const changes = events.filter(({ type }) => type !== 'CallMade').map((event) => ({ event }));
    const { closed, running } = monthFactsFromEvents(events, utc);
    for (const facts of running === null ? closed : [...closed, running]) {
      const found = creditLiability(purchasedGrants(facts.month, changes, state, utc).grants);
      const expected = creditLiability(grantMonths(facts));
      expect(found).toEqual(expected);
      compared += expected.length;
    }
  });
  await untilMet(check, {}, () => compared > 0);
  expect(compared).toBeGreaterThan(0);
});

test('what is left at the end of one month is what the next begins with, closed or idle', () => {
  const check = fc.property(opening, history, (account, steps) => {
    const events = eventsOf(account, steps);
    const state = evolveAll(initialState, events);
    const changes = events.map((event) => ({ event }));
    const last = utc.monthAt(state.lastAt);
    for (let month = last.label, count = 0; count < 6; month = monthBefore(month), count += 1) {
      const { grants: before } = purchasedGrants(monthBefore(month), changes, state, utc);
      const left = before.flatMap(({ id, closing }) => (closing > 0 ? [[id, closing]] : []));
      const { grants: begins } = purchasedGrants(month, changes, state, utc);
      const opened = begins.flatMap((one) => (one.opening > 0 ? [[one.id, one.opening]] : []));
      expect(opened).toEqual(left);
    }
  });
  fc.assert(check);
});

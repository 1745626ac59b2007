import type { History } from '#account/histories.suite.js';
import { allBeauty, callAt, DAY, grantCredits, plan } from '#account/scenario.suite.js';
import { Calendar } from '#calendar/calendar.js';
import { resourceKey } from '#rating/resource-key.js';
import { monthFactsFromEvents } from './month-facts-from-events.js';
import { eventsOf } from './months.suite.js';

/** A call at a moment, as the API would ask for it in that zone. */
function callIn(calendar: Calendar): History[number][1] {
  return (at) => {
    const window = calendar.windowAt(at).label;
    return callAt(at, { window, key: resourceKey(allBeauty, window), callId: `call-${at}` });
  };
}

// Zone, month, the first instant after it.
const ENDS = [
  ['UTC', '2026-10', '2026-11-01T00:00:00Z'],
  ['UTC', '2028-02', '2028-03-01T00:00:00Z'],
  ['America/New_York', '2026-10', '2026-11-01T04:00:00Z'],
  ['America/New_York', '2026-11', '2026-12-01T05:00:00Z'],
  ['America/New_York', '2028-02', '2028-03-01T05:00:00Z'],
  ['Asia/Kolkata', '2026-10', '2026-10-31T18:30:00Z'],
  ['Asia/Kolkata', '2028-02', '2028-02-29T18:30:00Z'],
  ['Pacific/Auckland', '2026-10', '2026-10-31T11:00:00Z'],
  ['Pacific/Auckland', '2027-04', '2027-04-30T12:00:00Z'],
  ['Pacific/Auckland', '2028-02', '2028-02-29T11:00:00Z'],
] as const;

describe.each(ENDS)('in %s the month %s ends before %s', (zone, month, end) => {
  const calendar = new Calendar(zone);
  const call = callIn(calendar);
  const endsAt = Date.parse(end);
  const start = endsAt - 10 * DAY;
  const grant: History[number] = [0, () => grantCredits(1_000_000)];

  it('so a call one millisecond before is billed with it, and one at that moment with the next', () => {
    const calls: History = [
      [10 * DAY - 1, call],
      [1, call],
    ];
    const events = eventsOf({ plan, overdraft: null }, [grant, ...calls], calendar, start);
    const { closed, running } = monthFactsFromEvents(events, calendar);
    expect(closed.map((facts) => [facts.month, facts.usage.length])).toEqual([[month, 1]]);
    expect(closed[0]?.usage).toMatchObject([{ kind: 'base', credits: 50_000 }]);
    expect(running?.usage).toHaveLength(1);
    expect(running?.month).toBe(calendar.monthAt(endsAt).label);
  });

  it('and the second is a repeat where the window runs on over the end, a first call where it ends too', () => {
    const calls: History = [
      [10 * DAY - 1, call],
      [2, call],
    ];
    const events = eventsOf({}, [grant, ...calls], calendar, start);
    const isSameWindow =
      calendar.windowAt(endsAt - 1).label === calendar.windowAt(endsAt + 1).label;
    const { running } = monthFactsFromEvents(events, calendar);
    expect(running?.usage[0]?.kind).toBe(isSameWindow ? 'repeat' : 'base');
  });
});

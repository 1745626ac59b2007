import fc from 'fast-check';
import { advance, dueAt, evolveAll } from './advance.js';
import type { AccountState } from './state.js';
import {
  callAt,
  DAY,
  given,
  grantCredits,
  HOUR,
  openAccount,
  issueApiKey,
  terms,
  TUESDAY,
  when,
} from './scenario.suite.js';

const { calendar } = terms;

function withGrants(...expiries: readonly (number | null)[]): AccountState {
  return given(
    [TUESDAY, openAccount()],
    [TUESDAY, issueApiKey()],
    ...expiries.map((expiresAt) => [TUESDAY, grantCredits(60_000, { expiresAt })] as const),
  );
}

/** When both the month and the window of that Tuesday end. */
const DECEMBER = Date.UTC(2026, 11, 1);

describe('a grant expires', () => {
  const state = withGrants(TUESDAY + DAY, TUESDAY + HOUR, null);

  it.each<[string, number, number[]]>([
    ['not before its moment', TUESDAY + HOUR - 1, []],
    ['at its very moment', TUESDAY + HOUR, [TUESDAY + HOUR]],
    ['in the order of time', TUESDAY + 9 * DAY, [TUESDAY + HOUR, TUESDAY + DAY, DECEMBER]],
  ])('%s', (_when, now, moments) => {
    expect(advance(state, now, calendar).map(({ at }) => at)).toEqual(moments);
  });

  it('with what is left of it and nothing else', () => {
    const used = evolveAll(state, when(state, TUESDAY, callAt(TUESDAY)).events);
    expect(advance(used, TUESDAY + HOUR, calendar)[0]).toMatchObject({
      type: 'GrantExpired',
      data: { grant: 2, credits: 10_000, balance: 120_000 },
    });
  });

  it('before a call of the same moment, which can no longer draw on it', () => {
    const at = TUESDAY + HOUR;
    const { events } = when(withGrants(at), at, callAt(at));
    expect(events.map(({ type }) => type)).toEqual(['GrantExpired']);
    expect(when(withGrants(at), at - 1, callAt(at - 1)).events.map(({ type }) => type)).toEqual([
      'CallMade',
    ]);
  });

  it('is due at the earliest expiry, and without one the end of the month is', () => {
    expect(dueAt(state, calendar)).toBe(TUESDAY + HOUR);
    expect(dueAt(withGrants(null), calendar)).toBe(DECEMBER);
  });
});

it('advances over a period exactly as over its two halves', () => {
  const offset = fc.integer({ min: 1, max: 1_000 });
  fc.assert(
    fc.property(fc.array(offset, { maxLength: 8 }), offset, offset, (expiries, first, second) => {
      const state = withGrants(...expiries.map((ms) => TUESDAY + ms));
      const half = advance(state, TUESDAY + first, calendar);
      const end = TUESDAY + first + second;
      expect([...half, ...advance(evolveAll(state, half), end, calendar)]).toEqual(
        advance(state, end, calendar),
      );
    }),
  );
});

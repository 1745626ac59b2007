import { parseResourcePath } from '#rating/resource-path.js';
import type { RateCard } from '#rating/rate-card.js';
import { auditEvent, type AuditTerms } from './audit.js';
import type { CallMade } from './calls.js';
import type { AccountState } from './state.js';
import { callAt, given, openAccount, ownEvent, prepaid, terms, TUESDAY } from './scenario.suite.js';
import { after, changeAccount, issueApiKey, when } from './scenario.suite.js';

const [first] = terms.cards;
if (first === undefined) throw new Error('There is no rate card.');

/** Cards as they are published: each for the window of the scenario, and dearer than the last. */
const CARDS: readonly RateCard[] = [
  first,
  ...[2, 3].map((version) => ({
    ...first,
    version,
    effective_window: '2026w48',
    call_cost: 10 * version,
  })),
];

const auditTerms: AuditTerms = {
  ...terms,
  cards: CARDS,
  resourceOf: (key) => {
    const parsed = parseResourcePath(key);
    return parsed.outcome === 'resource' ? parsed.resource : undefined;
  },
};

const timed = prepaid(200_000, { test: true, testClock: TUESDAY });

/** The finding about a first call that was decided with the first card alone. */
function audited(state: AccountState, changes: Partial<CallMade> = {}): string | null {
  const decided = { ...state, rateCard: null };
  const event = ownEvent(when(decided, TUESDAY, callAt(TUESDAY)), 'CallMade');
  const recorded = { ...event, data: { ...event.data, ...changes } };
  return auditEvent(state, recorded, false, auditTerms)?.member ?? null;
}

describe('a first call in a window under a test clock', () => {
  it('is priced by the card that its event names, whichever was published later', () => {
    expect(audited(timed)).toBeNull();
    expect(audited(timed, { card: 2 })).toBe('cost');
    expect(audited(timed, { card: 9 })).toBe('cost');
    expect(audited(timed, { cost: [10, 0] })).toBe('cost');
  });

  it('knows every card that an earlier call of the account has named', () => {
    expect(audited({ ...timed, pinnedCards: { '2026w47': 3 } })).toBe('cost');
  });

  it('is followed by calls at the card that it has pinned', () => {
    const called = after(timed, TUESDAY, callAt(TUESDAY));
    expect(called.pinnedCards).toEqual({ '2026w48': 1 });
    const repeat = ownEvent(when(called, TUESDAY, callAt(TUESDAY)), 'CallMade');
    expect(auditEvent(called, repeat, true, auditTerms)).toBeNull();
    const dearer = { ...repeat, data: { ...repeat.data, card: 2, cost: [20, 0] as const } };
    expect(auditEvent(called, dearer, true, auditTerms)?.member).toBe('cost');
  });

  it('is priced by the card that the account names', () => {
    const named = after(timed, TUESDAY, changeAccount({ rateCard: 1 }));
    expect(audited(named)).toBeNull();
    expect(audited({ ...named, rateCard: 2 })).toBe('cost');
  });
});

it('a call in real time is priced by every card that its window has', () => {
  const real = given([TUESDAY, openAccount({ overdraft: null })], [TUESDAY, issueApiKey()]);
  expect(audited(real)).toBe('cost');
});

import { RATE_CARD_1 } from '#rating/rate-card.js';
import type { Resource } from '#rating/resource.js';
import { evolveAll } from './advance.js';
import { decide } from './decide.js';
import type { Refusal } from './refusal.js';
import type { AccountState } from './state.js';
import {
  after,
  allBeauty,
  callAt,
  DAY,
  given,
  grantCredits,
  HOUR,
  issueApiKey,
  openAccount,
  origin,
  ownEvent,
  prepaid,
  terms,
  TUESDAY,
  when,
} from './scenario.suite.js';

const PLENTY = 1_000_000;

function charge(state: AccountState, at: number, changes = {}): [number, AccountState] {
  const decision = when(state, at, callAt(at, changes));
  const { cost } = ownEvent(decision, 'CallMade').data;
  return [cost[0] + cost[1], evolveAll(state, decision.events)];
}

function refusal(state: AccountState, at: number, changes = {}): Refusal | null {
  return when(state, at, callAt(at, changes)).refusal;
}

describe('the worked sequence of specification 8.1', () => {
  it('charges 50,000 on Tuesday, 10 for each later call, and 50,000 on the next Tuesday', () => {
    const moments = [0, DAY, DAY + HOUR, 2 * DAY, 6 * DAY, 7 * DAY];
    let state = prepaid(PLENTY);
    const charges = moments.map((offset) => {
      const [credits, called] = charge(state, TUESDAY + offset);
      state = called;
      return credits;
    });
    expect(charges).toEqual([50_000, 10, 10, 10, 10, 50_000]);
    expect(state.balance).toBe(PLENTY - 100_040);
  });
});

describe('prices', () => {
  const skincare: Resource = { ...allBeauty, level: 'cat2', category: 'skincare' };
  const series: Resource = {
    resource: 'timeseries',
    type: 'cat5',
    region: 'us',
    item: '00000000-0000-4000-8000-000000000001',
  };
  it.each<[string, Resource, number, [number, number]]>([
    ['all beauty trends', allBeauty, 900, [10, 49_990]],
    ['top 5', { ...allBeauty, limit: 'top5' }, 5, [10, 25]],
    ['all beauty brands', { ...allBeauty, resource: 'brands' }, 100, [10, 59_990]],
    ['top 5', { ...allBeauty, resource: 'brands', limit: 'top5' }, 5, [10, 25]],
    ['all skincare trends', skincare, 300, [10, 9_990]],
    ['time series', series, 48, [10, 1_750]],
    ['per row', { ...skincare, limit: 'top100' }, 77, [10, 385]],
  ])('of %s are base and then 10', (rule, resource, rows, cost) => {
    const state = prepaid(PLENTY);
    const first = when(state, TUESDAY, callAt(TUESDAY, { resource, rows }));
    expect(ownEvent(first, 'CallMade').data).toMatchObject({ kind: 'base', cost, rule, card: 1 });
    const second = when(
      evolveAll(state, first.events),
      TUESDAY,
      callAt(TUESDAY, { resource, rows }),
    );
    expect(ownEvent(second, 'CallMade').data).toMatchObject({ kind: 'repeat', cost: [10, 0] });
  });
});

describe('a call', () => {
  it('says in its event all that later work needs', () => {
    const tags = { team: 'nails' };
    const decision = when(
      prepaid(60_000),
      TUESDAY,
      callAt(TUESDAY, { tags, asked: '/v1/latest/x' }),
    );
    expect(decision.events).toEqual([
      {
        type: 'CallMade',
        at: TUESDAY,
        data: {
          key: '/v1/2026w48/cat1/trends/all/popindex/us/beauty',
          asked: '/v1/latest/x',
          release: 'r1',
          api_key: 1,
          rows: 7,
          kind: 'base',
          cost: [10, 49_990],
          card: 1,
          rule: 'all beauty trends',
          draws: [[1, 50_000]],
          balance: 10_000,
          tags,
        },
      },
    ]);
  });

  it('for a past week costs its base once, whichever window it is made in', () => {
    const key = '/v1/2026w40/cat1/trends/all/popindex/us/beauty';
    let state = prepaid(PLENTY);
    const charges = [0, HOUR].map((offset) => {
      const [credits, called] = charge(state, TUESDAY + offset, { key });
      state = called;
      return credits;
    });
    expect(charges).toEqual([50_000, 10]);
  });

  it('keeps the keys of the running window alone after a rollover', () => {
    const [, first] = charge(prepaid(PLENTY), TUESDAY);
    const [, second] = charge(first, TUESDAY + 7 * DAY);
    expect([...first.opened]).toEqual(['/v1/2026w48/cat1/trends/all/popindex/us/beauty']);
    expect([...second.opened]).toEqual(['/v1/2026w49/cat1/trends/all/popindex/us/beauty']);
  });

  it("never steps back in time behind the account's last event", () => {
    const [, state] = charge(prepaid(PLENTY), TUESDAY);
    const early = TUESDAY - 50;
    const event = ownEvent(when(state, early, callAt(TUESDAY)), 'CallMade');
    expect(event.at).toBe(TUESDAY);
  });

  it('draws on an overdraft once all grants are empty', () => {
    const state = prepaid(40, { overdraft: 100 });
    const resource: Resource = { ...allBeauty, limit: 'top5' };
    const [, once] = charge(state, TUESDAY, { resource });
    const [, twice] = charge(once, TUESDAY, { resource });
    expect([once.balance, twice.balance]).toEqual([5, -5]);
    expect(twice.grants).toEqual([]);
  });

  it('is never refused for credits without a limit', () => {
    const state = given([TUESDAY, openAccount({ overdraft: null })], [TUESDAY, issueApiKey()]);
    expect(charge(state, TUESDAY)[1].balance).toBe(-50_000);
  });
});

describe('a call is refused', () => {
  const suspended = evolveAll(prepaid(PLENTY), [
    { type: 'AccountSuspended', at: TUESDAY, data: origin },
  ]);
  const revoked = evolveAll(prepaid(PLENTY), [
    { type: 'ApiKeyRevoked', at: TUESDAY, data: { ...origin, api_key: 1, key_id: 'key-1' } },
  ]);
  const reader = given(
    [TUESDAY, openAccount()],
    [TUESDAY, issueApiKey({ scopes: ['account:read'] })],
  );
  const expiring = given(
    [TUESDAY, openAccount()],
    [TUESDAY, issueApiKey({ expiresAt: TUESDAY + HOUR })],
  );
  const kind = 'base';
  it.each<[string, AccountState, object, Refusal]>([
    ['with an unknown key', prepaid(PLENTY), { apiKey: 2 }, { reason: 'key-invalid' }],
    ['with a revoked key', revoked, {}, { reason: 'key-invalid' }],
    ['with an expired key', expiring, {}, { reason: 'key-invalid' }],
    ['of a suspended account', suspended, {}, { reason: 'account-suspended' }],
    ['without the scope', reader, {}, { reason: 'scope-missing', scope: 'data' }],
    ['too late', prepaid(PLENTY), { notAfter: TUESDAY }, { reason: 'too-late' }],
    [
      'for another window',
      prepaid(PLENTY),
      { window: '2026w47' },
      { reason: 'window-moved', window: '2026w48' },
    ],
    [
      'above its ceiling',
      prepaid(PLENTY),
      { maxCredits: 49_999 },
      { reason: 'price-above-maximum', requiredCredits: 50_000, maxCredits: 49_999, kind },
    ],
    [
      'without the credits',
      prepaid(49_998, { overdraft: 1 }),
      {},
      {
        reason: 'out-of-credits',
        requiredCredits: 50_000,
        balance: 49_998,
        availableCredits: 49_999,
        kind,
      },
    ],
  ])('%s, and nothing is recorded', (_why, state, changes, expected) => {
    const decision = when(state, TUESDAY + HOUR, callAt(TUESDAY + HOUR, changes));
    expect(decision).toEqual({ events: [], own: null, refusal: expected });
  });

  it('by one credit, and not by none', () => {
    expect(refusal(prepaid(50_000), TUESDAY)).toBeNull();
    expect(refusal(prepaid(49_999), TUESDAY)?.reason).toBe('out-of-credits');
    expect(refusal(prepaid(49_999, { overdraft: 1 }), TUESDAY)).toBeNull();
  });

  it('for an account that was never opened', () => {
    const state = given();
    expect(refusal(state, TUESDAY)).toEqual({ reason: 'account-unknown' });
  });
});

describe('a test account', () => {
  const testClock = TUESDAY;
  it('lives at its own time, whatever the clock says', () => {
    const state = prepaid(PLENTY, { testClock, test: true });
    const event = ownEvent(
      when(state, TUESDAY + 900 * DAY, callAt(TUESDAY, { notAfter: Infinity })),
      'CallMade',
    );
    expect(event.at).toBe(TUESDAY);
  });

  it('has the release of a window pinned by its first call for it', () => {
    const [, state] = charge(prepaid(PLENTY, { testClock, test: true }), TUESDAY);
    expect(refusal(state, TUESDAY, { release: 'r2' })).toEqual({
      reason: 'release-moved',
      release: 'r1',
    });
    const other = '/v1/2026w40/cat1/trends/all/popindex/us/beauty';
    expect(refusal(state, TUESDAY, { release: 'r2', key: other })).toBeNull();
  });

  it('has the rate card of a window pinned by its first call in it', () => {
    const dear = { ...RATE_CARD_1, version: 2, effective_window: '2026w48', call_cost: 20 };
    const [, state] = charge(prepaid(PLENTY, { testClock, test: true }), TUESDAY);
    const published = { ...terms, cards: [RATE_CARD_1, dear] };
    const at = TUESDAY;
    const later = decide(
      state,
      callAt(at, { resource: { ...allBeauty, limit: 'top5' } }),
      at,
      published,
    );
    expect(ownEvent(later, 'CallMade').data).toMatchObject({ card: 1, cost: [10, 25] });
    const next = TUESDAY + 7 * DAY;
    const moved = after(state, 0, { command: 'move-test-clock', origin, now: next });
    const first = decide(moved, callAt(next), 0, published);
    expect(ownEvent(first, 'CallMade').data).toMatchObject({ card: 2, cost: [20, 49_990] });
  });

  it('has nothing pinned when it lives in real time', () => {
    const [, state] = charge(prepaid(PLENTY), TUESDAY);
    expect(refusal(state, TUESDAY, { release: 'r2' })).toBeNull();
    const called = given([TUESDAY, openAccount()], [TUESDAY, grantCredits(1)]);
    expect([called.pins, called.pinnedCards, state.pinnedCards]).toEqual([{}, {}, {}]);
  });
});

describe('a rate card of its own', () => {
  const cheap = { ...RATE_CARD_1, version: 2, effective_window: '2027w40', call_cost: 1 };
  const published = { ...terms, cards: [RATE_CARD_1, cheap] };

  it('prices the calls of an account in every window', () => {
    const own = decide(prepaid(PLENTY, { rateCard: 2 }), callAt(TUESDAY), TUESDAY, published);
    expect(ownEvent(own, 'CallMade').data).toMatchObject({ card: 2, cost: [1, 49_990] });
    const other = decide(prepaid(PLENTY), callAt(TUESDAY), TUESDAY, published);
    expect(ownEvent(other, 'CallMade').data).toMatchObject({ card: 1, cost: [10, 49_990] });
  });

  it('that nobody has published is an error, and not a price', () => {
    const state = prepaid(PLENTY, { rateCard: 3 });
    expect(() => decide(state, callAt(TUESDAY), TUESDAY, published)).toThrow('no rate card 3');
  });
});

import fc from 'fast-check';
import { RATE_CARD_1, type RateCard } from '#rating/rate-card.js';
import type { NamedResource } from '#rating/named-resource.js';
import { latestPath, resourceKey, resourceOfKey } from '#rating/resource-key.js';
import { evolveAll } from './advance.js';
import { auditEvent, auditState, type AuditTerms } from './audit.js';
import type { CallMade } from './calls.js';
import type { ChargeRequest } from './charging.js';
import type { Command } from './commands.js';
import { decide } from './decide.js';
import type { AccountEvent } from './events.js';
import { outlookOf } from './outlook.js';
import {
  after,
  allBeauty,
  brokenInvariants,
  changeAccount,
  DAY,
  given,
  grantCredits,
  HOUR,
  issueApiKey,
  openAccount,
  prepaid,
  setBudget,
  terms as indexTerms,
  TUESDAY,
} from './scenario.suite.js';
import type { AccountState } from './state.js';
import type { Units } from './terms.js';

const WEATHER: RateCard = {
  version: 2,
  product: 'weather',
  effective_window: '2026w48',
  call_cost: 10,
  rules: [
    { name: 'Europe', match: { region: 'eu' }, data_cost: { per_row: 2 } },
    { name: 'all else', match: {}, data_cost: { per_row: 1 } },
  ],
};
const LLM: RateCard = {
  version: 3,
  product: 'llm',
  repeat: 'never',
  effective_window: '2026w48',
  call_cost: 1,
  rules: [{ name: 'tokens', match: {}, data_cost: { per: { input: 3, output: 12 }, of: 1000 } }],
};
const terms: AuditTerms = {
  calendar: indexTerms.calendar,
  cards: [RATE_CARD_1, WEATHER, LLM],
  resourceOf: resourceOfKey,
};

const FORECAST = { product: 'weather', resource: 'forecast', region: 'us' };
const CHAT = { product: 'llm', resource: 'chat', model: 'large' };

function call(at: number, resource: NamedResource, changes: Partial<ChargeRequest> = {}): Command {
  const window = terms.calendar.windowAt(at).label;
  const { units } = changes;
  const request: ChargeRequest = {
    callId: `call-${at}`,
    accountId: 'account-1',
    apiKey: 1,
    key: resourceKey(resource, window),
    asked: latestPath(resource),
    resource,
    rows: units === undefined ? 1 : (units['rows'] ?? 0),
    window,
    release: '',
    maxCredits: null,
    tags: null,
    isRetry: false,
    notAfter: at + 10_000,
    ...changes,
  };
  return { command: 'make-call', request };
}

/** Events of calls one after the other, the first at nine on that Tuesday, and the state then. */
function made(
  state: AccountState,
  ...calls: readonly (readonly [at: number, command: Command])[]
): { readonly calls: Partial<CallMade>[]; readonly state: AccountState } {
  let current = state;
  const found: Partial<CallMade>[] = [];
  for (const [at, command] of calls) {
    const { events, refusal } = decide(current, command, at, terms);
    if (refusal !== null) throw new Error(`A call was refused: ${refusal.reason}.`);
    current = evolveAll(current, events);
    for (const event of events) {
      if (event.type !== 'CallMade') continue;
      const { key, kind, cost, card, rule, rows, units } = event.data;
      found.push({ key, kind, cost, card, rule, rows, ...(units && { units }) });
    }
  }
  return { calls: found, state: current };
}

function refusalOf(state: AccountState, at: number, command: Command, cards = terms.cards) {
  return decide(state, command, at, { ...terms, cards }).refusal;
}

describe('a call of another product', () => {
  it('is charged by the card of its product: first and repeated, and first again next week', () => {
    const week = TUESDAY + 7 * DAY;
    const units = { rows: 12 };
    const { calls } = made(
      prepaid(1_000),
      [TUESDAY, call(TUESDAY, FORECAST, { units })],
      [TUESDAY + 1, call(TUESDAY + 1, FORECAST, { units })],
      [TUESDAY + 2, call(TUESDAY + 2, { ...FORECAST, region: 'eu' }, { units })],
      [week, call(week, FORECAST)],
    );
    const key = '/weather/2026w48/forecast?region=us';
    const first = { kind: 'base', cost: [10, 12], card: 2, rule: 'all else', rows: 12, units };
    expect(calls).toEqual([
      { ...first, key },
      { ...first, key, kind: 'repeat', cost: [10, 0] },
      { ...first, key: '/weather/2026w48/forecast?region=eu', cost: [10, 24], rule: 'Europe' },
      {
        key: '/weather/2026w49/forecast?region=us',
        kind: 'base',
        cost: [10, 1],
        card: 2,
        rule: 'all else',
        rows: 1,
      },
    ]);
  });

  it('pays for its units every time where its card has no repeats, and opens no key', () => {
    const units = { input: 812, output: 90 };
    const calls = [0, 1, 2].map(
      (ms) => [TUESDAY + ms, call(TUESDAY + ms, CHAT, { units })] as const,
    );
    const { calls: charged, state } = made(prepaid(1_000), ...calls);
    const each = { kind: 'each', cost: [1, 4], card: 3, rule: 'tokens', rows: 0, units };
    expect(charged).toEqual(calls.map(() => ({ ...each, key: '/llm/2026w48/chat?model=large' })));
    expect(state).toMatchObject({ balance: 1_000 - 15, products: undefined });
    expect(state.opened.size).toBe(0);
    expect(state.monthUse).toMatchObject({ calls: 3, baseCalls: 0, credits: 15 });
  });

  it('is refused where no rule prices a unit, or where the units cost more than can be counted', () => {
    const state = prepaid(1_000);
    const ask = (units: Record<string, number>) =>
      refusalOf(state, TUESDAY, call(TUESDAY, CHAT, { units }));
    expect(ask({ input: 1, tokens: 2 })).toEqual({
      reason: 'units-unpriced',
      detail: 'No rule of rate card 3 prices the unit "tokens".',
    });
    expect(ask({ output: 2 ** 50 })).toMatchObject({ reason: 'units-unpriced' });
    expect(ask({ output: 2 ** 49 })).toMatchObject({ reason: 'out-of-credits' });
  });

  it('is refused while no card of its product is in force', () => {
    const state = prepaid(1_000);
    const refusal = { reason: 'no-rate-card', product: 'weather' };
    const asked = call(TUESDAY, FORECAST);
    expect(refusalOf(state, TUESDAY, asked, [RATE_CARD_1, LLM])).toEqual(refusal);
    const coming = { ...WEATHER, effective_window: '2026w49' };
    expect(refusalOf(state, TUESDAY, asked, [RATE_CARD_1, coming])).toEqual(refusal);
  });

  it('is priced by the own card that the account has for its product, and no other', () => {
    const cheap = { ...WEATHER, version: 4, effective_window: null, call_cost: 2 };
    const opened = given(
      [TUESDAY - HOUR, openAccount({ rateCards: { weather: 4 } })],
      [TUESDAY - HOUR, issueApiKey()],
      [TUESDAY - HOUR, grantCredits(100_000)],
    );
    const cards = [...terms.cards, cheap];
    const costOf = (state: AccountState, resource: NamedResource) => {
      const { events } = decide(state, call(TUESDAY, resource), TUESDAY, { ...terms, cards });
      return events.flatMap((event) => (event.type === 'CallMade' ? [event.data.card] : []));
    };
    expect([FORECAST, CHAT, allBeauty].flatMap((one) => costOf(opened, one))).toEqual([4, 3, 1]);
    const ended = after(opened, TUESDAY, changeAccount({ rateCards: { weather: null } }));
    expect(costOf(ended, FORECAST)).toEqual([2]);
    expect(ended.rateCards).toBeUndefined();
    const again = decide(ended, changeAccount({ rateCards: { weather: null } }), TUESDAY, terms);
    expect(again.events).toEqual([]);
  });

  it('counts in the budgets of the account as any other', () => {
    const state = after(prepaid(1_000), TUESDAY, setBudget(25, { action: 'block' }));
    const { state: next } = made(state, [
      TUESDAY,
      call(TUESDAY, FORECAST, { units: { rows: 10 } }),
    ]);
    const units = { output: 1_000 };
    expect(refusalOf(next, TUESDAY, call(TUESDAY, CHAT, { units }))).toMatchObject({
      reason: 'budget-exhausted',
      leftCredits: 5,
    });
  });

  it('leaves the keys of all products opened when another one turns the window', () => {
    const week = TUESDAY + 7 * DAY;
    const early = call(week, FORECAST);
    const state = made(prepaid(200_000), [TUESDAY, call(TUESDAY, allBeauty)]).state;
    // By a clock that is ahead a key of the coming week was opened before its first moment.
    const ahead = { ...state, opened: state.opened.plus('/weather/2026w49/forecast?region=us') };
    const { calls } = made(ahead, [week, call(week, allBeauty)], [week, early]);
    expect(calls.map(({ kind }) => kind)).toEqual(['base', 'repeat']);
  });

  it('is foreseen as it was made, beside what the index is expected to cost', () => {
    const state = made(prepaid(200_000), [TUESDAY, call(TUESDAY, allBeauty)]).state;
    const alone = outlookOf(state, TUESDAY, terms.calendar, terms.cards);
    const units = { rows: 90 };
    const both = made(state, [TUESDAY + 1, call(TUESDAY + 1, FORECAST, { units })]).state;
    const together = outlookOf(both, TUESDAY + 1, terms.calendar, terms.cards);
    expect(together.nextBase).toBe(alone.nextBase + 100);
    expect(both.rhythm).toEqual(state.rhythm);
  });
});

describe('under a test clock', () => {
  const opened = () => prepaid(1_000_000, { test: true, testClock: TUESDAY });

  it('release and card of a window are pinned for each product by itself', () => {
    const { state } = made(
      opened(),
      [TUESDAY, call(TUESDAY, FORECAST, { release: 'w1' })],
      [TUESDAY, call(TUESDAY, allBeauty, { release: 'r1', callId: 'call-2' })],
    );
    expect(state.pins).toEqual({ 'weather 2026w48': 'w1', '2026w48': 'r1' });
    expect(state.pinnedCards).toEqual({ 'weather 2026w48': 2, '2026w48': 1 });
    const moved = call(TUESDAY, FORECAST, { release: 'r1' });
    expect(refusalOf(state, TUESDAY, moved)).toEqual({ reason: 'release-moved', release: 'w1' });
  });
});

const resource = fc.oneof(
  fc.constantFrom<NamedResource>(FORECAST, { ...FORECAST, region: 'eu' }, CHAT),
  fc.constantFrom<NamedResource>(allBeauty, { ...allBeauty, limit: 'top5' }),
);
const steps = fc.array(
  fc.record({ pause: fc.integer({ min: 0, max: 3 * DAY }), resource, count: fc.nat(5_000) }),
  { maxLength: 40, size: 'max' },
);

/** Runs calls of the products that are chosen, each with the moment that it has among all. */
function run(
  all: readonly {
    readonly pause: number;
    readonly resource: NamedResource;
    readonly count: number;
  }[],
  isChosen: (resource: NamedResource) => boolean,
  account: AccountState,
  look: (before: AccountState, event: AccountEvent) => void = () => undefined,
): CallMade[] {
  let [at, state] = [TUESDAY, account];
  const found: CallMade[] = [];
  for (const { pause, resource: asked, count } of all) {
    at += pause;
    if (!isChosen(asked)) continue;
    const units: Units = asked === CHAT ? { input: count, output: 3 } : { rows: count };
    const ofProduct = asked['product'] === undefined ? { rows: count } : { units };
    const moment = state.testClock ?? at;
    const { events } = decide(
      state,
      call(moment, asked, { ...ofProduct, notAfter: at }),
      at,
      terms,
    );
    for (const event of events) {
      look(state, event);
      state = evolveAll(state, [event]);
      if (event.type === 'CallMade') found.push(event.data);
      expect(brokenInvariants(state)).toEqual([]);
    }
  }
  return found;
}

function priced({ key, kind, cost, card, rule }: CallMade) {
  return { key, kind, cost, card, rule };
}

describe('products side by side', () => {
  it('never change the price, the keys or the pins of one another', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (all, isTest) => {
        const account = prepaid(1e12, isTest ? { test: true, testClock: TUESDAY } : {});
        const together = run(all, () => true, account);
        for (const product of [undefined, 'weather', 'llm']) {
          const isOf = (one: NamedResource) => one['product'] === product;
          const alone = run(all, isOf, account);
          const start = `/${product ?? 'v1'}/`;
          const among = together.filter(({ key }) => key.startsWith(start));
          expect(among.map(priced)).toEqual(alone.map(priced));
        }
      }),
    );
  });

  it('make events that are decided the same once more, from the first one on', () => {
    let calls = 0;
    fc.assert(
      fc.property(steps, fc.boolean(), (all, isTest) => {
        const opening = isTest ? { test: true, testClock: TUESDAY } : {};
        const openedKeys = new Set<string>();
        run(
          all,
          () => true,
          prepaid(1e12, opening),
          (before, event) => {
            const key = event.type === 'CallMade' ? event.data.key : '';
            expect(auditEvent(before, event, openedKeys.has(key), terms)).toBeNull();
            expect(auditState(before)).toBeNull();
            if (event.type !== 'CallMade') return;
            calls += 1;
            if (event.data.kind === 'base') openedKeys.add(key);
            const cheaper = { ...event.data, cost: [0, 0] as const };
            const forged = { ...event, data: cheaper };
            expect(auditEvent(before, forged, openedKeys.has(key), terms)).not.toBeNull();
          },
        );
      }),
    );
    expect(calls).toBeGreaterThan(100);
  });
});

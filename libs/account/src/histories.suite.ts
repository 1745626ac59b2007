import fc from 'fast-check';
import type { Listing } from '#rating/resource.js';
import type { ChangeAccount } from './account.js';
import { evolveAll } from './advance.js';
import type { Command } from './commands.js';
import { decide, type Decision } from './decide.js';
import { worthOf } from './rounding.js';
import { type AccountState, initialState } from './state.js';
import {
  adjust,
  allBeauty,
  callAt,
  changeAccount,
  creditNote,
  DAY,
  grantCredits,
  hold,
  issueApiKey,
  openAccount,
  origin,
  plan,
  release,
  setBudget,
  settle,
  terms,
  TUESDAY,
  voidGrant,
} from './scenario.suite.js';

type Step = (at: number, state: AccountState) => Command;

/** Commands over half a year at most, each some time after the one before. */
export type History = readonly (readonly [pause: number, step: Step])[];

const listing = fc.record({
  limit: fc.constantFrom<Listing['limit']>('top5', 'top100', 'all'),
  category: fc.constantFrom('beauty', 'nails', 'skincare'),
  region: fc.constantFrom<Listing['region']>('us', 'fr'),
});

const call: fc.Arbitrary<Step> = fc
  .record({ changes: listing, apiKey: fc.constantFrom(1, 1, 2), callId: fc.uuid() })
  .map(({ changes, apiKey, callId }) => (at) => {
    const resource = { ...allBeauty, ...changes };
    return callAt(at, { resource, rows: 20, apiKey, callId });
  });

const grant: fc.Arbitrary<Step> = fc
  .record({
    credits: fc.integer({ min: 1, max: 80_000 }),
    days: fc.option(fc.integer({ min: 1, max: 9 })),
    priority: fc.integer({ min: 1, max: 3 }),
    price: fc.constantFrom(null, null, 0, 7, 99_999),
  })
  .map(({ credits, days, priority, price }) => (at, { lastGrant }) => {
    // Ids are those of commands: no two grants have the same.
    const grantId = `0198a6f0-0000-8000-8000-${String(lastGrant).padStart(12, '0')}`;
    const expiresAt = days === null ? null : at + days * DAY;
    return grantCredits(credits, { expiresAt, priority, price, grantId });
  });

const adjustment: fc.Arbitrary<Step> = fc
  .integer({ min: -30_000, max: 30_000 })
  .filter((credits) => credits !== 0)
  .map((credits) => () => adjust(credits));

const voiding: fc.Arbitrary<Step> = fc
  .record({ which: fc.nat(), refund: fc.boolean() })
  .map(({ which, refund }) => (_at, { grants }) => {
    return voidGrant(grants[which % (grants.length || 1)]?.id ?? '', { refund });
  });

/** A part of the price of a purchase is given back, whose unused credits go with it or are kept. */
const crediting: fc.Arbitrary<Step> = fc
  .record({
    which: fc.nat(),
    percent: fc.integer({ min: 0, max: 101 }),
    noteId: fc.uuid(),
    keptAs: fc.option(fc.tuple(fc.uuid())),
  })
  .map(({ which, percent, noteId, keptAs }) => (_at, { grants, billing }) => {
    const bought = grants.filter(({ worth }) => worth !== undefined);
    const grant = bought[which % (bought.length || 1)];
    const worth = grant?.worth === undefined ? 0 : worthOf(grant.worth, grant.left);
    const amount = Math.ceil((worth * percent) / 100);
    return creditNote(billing.version, noteId, [[grant?.id ?? '', amount]], keptAs ?? undefined);
  });

const budget: fc.Arbitrary<Step> = fc
  .record({
    limit: fc.constantFrom(50, 10_035, 60_000, 250_000),
    which: fc.nat(3),
    name: fc.uuid(),
    apiKeyId: fc.constantFrom(null, 'key-2'),
    period: fc.constantFrom('month' as const, 'window' as const),
    thresholds: fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { maxLength: 3 }),
    action: fc.constantFrom('alert' as const, 'block' as const),
  })
  .map(({ limit, thresholds, which, name, ...changes }) => (_at, { budgets }) => {
    const known = budgets[which];
    const ascending = thresholds.toSorted((one, other) => one - other);
    const budgetId = known?.id ?? name;
    const isNew = known === undefined;
    return setBudget(limit, { ...changes, thresholds: ascending, budgetId, isNew });
  });

const unbudget: fc.Arbitrary<Step> = fc.nat().map((which) => (_at, { budgets }) => {
  const budgetId = budgets[which % (budgets.length || 1)]?.id ?? '';
  return { command: 'remove-budget', origin, budgetId };
});

const change: fc.Arbitrary<Step> = fc
  .constantFrom<ChangeAccount['changes']>(
    { overdraft: 0 },
    { overdraft: 70_000 },
    { overdraft: null },
    { lowBalance: null },
    { lowBalance: 30_000 },
    { receipts: true },
    { receipts: false },
    { plan: null },
    { plan },
  )
  .map((changes) => () => changeAccount(changes));

const disputing: fc.Arbitrary<Step> = fc
  .record({ disputeId: fc.uuid(), callIds: fc.uniqueArray(fc.integer({ min: 0, max: 5 })) })
  .map(({ disputeId, callIds }) => () => {
    const named = callIds.map((id) => `call-${id}`);
    return { command: 'open-dispute', origin, disputeId, callIds: named, credits: 10 };
  });

/** An answer gives the first calls back that it is about, or none. */
const answering: fc.Arbitrary<Step> = fc
  .record({ which: fc.nat(3), credits: fc.array(fc.integer({ min: 1, max: 60_000 })) })
  .map(({ which, credits }) => (_at, { disputes = [], billing: { version }, lastGrant }) => {
    const dispute = disputes[which];
    const callIds = dispute?.callIds.slice(0, credits.length) ?? [];
    const adjustments = callIds.map((callId, index) => {
      const charged = credits[index] ?? 0;
      const grantId = `0198a6f0-0000-8000-9000-${String(lastGrant + index).padStart(12, '0')}`;
      return { call: { callId, charged }, credits: charged, grantId };
    });
    return {
      command: 'resolve-dispute',
      origin: { ...origin, reason: 'Looked at.' },
      disputeId: dispute?.id ?? 'none',
      outcome: callIds.length > 0 ? 'accepted' : 'rejected',
      credits: adjustments.reduce((sum, one) => sum + one.credits, 0),
      giveBack: { after: version, notes: [], adjustments, callIds },
    };
  });

/** An order, or what becomes of the open one. */
const ordering: fc.Arbitrary<Step> = fc
  .record({
    kind: fc.constantFrom('order', 'order', 'accept', 'decline', 'cancel'),
    orderId: fc.uuid(),
    credits: fc.integer({ min: 1, max: 60_000 }),
    price: fc.integer({ min: 0, max: 10_000 }),
    isAtOnce: fc.boolean(),
  })
  .map(({ kind, orderId: newId, ...terms }) => (_at, { order, currency }) => {
    const orderId = order?.id ?? newId;
    if (kind === 'accept') return { command: 'accept-top-up', origin, orderId };
    if (kind === 'decline') return { command: 'decline-top-up', origin, orderId };
    if (kind === 'cancel') return { command: 'cancel-top-up', origin, orderId };
    return { command: 'order-top-up', origin, orderId: newId, package: 'S', currency, ...terms };
  });

const holding: fc.Arbitrary<Step> = fc
  .record({
    changes: listing,
    rows: fc.integer({ min: 0, max: 40 }),
    credits: fc.option(fc.integer({ min: 0, max: 70_000 })),
    over: fc.constantFrom('cap' as const, 'extend' as const),
    max: fc.option(fc.integer({ min: 0, max: 90_000 })),
    minutes: fc.integer({ min: 1, max: 24 * 60 }),
    apiKey: fc.constantFrom(1, 1, 2),
    id: fc.uuid(),
    callId: fc.uuid(),
  })
  .map(({ changes, rows, apiKey, callId, minutes, id, ...command }) => (at) => {
    const resource = { ...allBeauty, ...changes };
    const { request } = callAt(at, { resource, rows, apiKey, callId });
    return hold(at, id, { ...command, request, expiresIn: minutes * 60_000 });
  });

const settling: fc.Arbitrary<Step> = fc
  .record({ which: fc.nat(), rows: fc.integer({ min: 0, max: 9_000 }) })
  .map(({ which, rows }) => (_at, { holds }) => {
    const open = holds?.open ?? [];
    return settle(open[which % (open.length || 1)]?.id ?? 'none', rows);
  });

const releasing: fc.Arbitrary<Step> = fc.nat().map((which) => (_at, { holds }) => {
  const open = holds?.open ?? [];
  return release(open[which % (open.length || 1)]?.id ?? 'none');
});

const others: fc.Arbitrary<Step> = fc.constantFrom<Step>(
  () => ({ command: 'tick' }),
  () => ({ command: 'report-forecasts' }),
  () => ({ command: 'suspend-account', origin }),
  () => ({ command: 'resume-account', origin }),
);

const closing: fc.Arbitrary<Step> = fc.constant<Step>(() => ({ command: 'close-account', origin }));

const step = fc.oneof(
  { weight: 60, arbitrary: call },
  { weight: 15, arbitrary: grant },
  { weight: 10, arbitrary: budget },
  { weight: 6, arbitrary: adjustment },
  { weight: 6, arbitrary: change },
  { weight: 6, arbitrary: others },
  { weight: 4, arbitrary: voiding },
  { weight: 3, arbitrary: crediting },
  { weight: 3, arbitrary: disputing },
  { weight: 3, arbitrary: answering },
  { weight: 6, arbitrary: ordering },
  { weight: 12, arbitrary: holding },
  { weight: 8, arbitrary: settling },
  { weight: 3, arbitrary: releasing },
  { weight: 2, arbitrary: unbudget },
  { weight: 1, arbitrary: closing },
);

/** Now minutes, so that holds are settled, now days, so that weeks and months end. */
const pause = fc.oneof(fc.integer({ min: 0, max: DAY / 48 }), fc.integer({ min: 0, max: 3 * DAY }));

export const history: fc.Arbitrary<History> = fc.array(fc.tuple(pause, step), {
  maxLength: 60,
  size: 'max',
});

export const opening = fc.record({
  overdraft: fc.constantFrom(0, 500, 100_000, null),
  lowBalance: fc.constantFrom(null, 40_000),
  plan: fc.constantFrom(null, plan),
});

/** One step of a history: the states around it and what was decided. */
export interface Stage {
  readonly before: AccountState;
  readonly command: Command;
  readonly at: number;
  readonly decision: Decision;
  readonly after: AccountState;
}

/**
 * Runs a history, refusals included, and shows every step to the one who looks. `reload` stands
 * between two steps.
 */
export function run(
  account: Partial<ReturnType<typeof openAccount>>,
  steps: History,
  look: (stage: Stage) => void,
  reload: (state: AccountState) => AccountState = (state) => state,
): AccountState {
  let at = TUESDAY;
  let state = initialState;
  const apply = (command: Command): void => {
    const before = reload(state);
    const decision = decide(before, command, at, terms);
    state = evolveAll(before, decision.events);
    look({ before, command, at, decision, after: state });
  };
  apply(openAccount(account));
  apply(issueApiKey());
  apply(issueApiKey({ keyId: 'key-2' }));
  for (const [pause, next] of steps) {
    at += pause;
    apply(next(at, state));
  }
  return state;
}

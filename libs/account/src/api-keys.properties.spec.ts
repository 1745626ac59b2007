import fc from 'fast-check';
import { ACTIVE_API_KEYS_MAX } from './api-keys.js';
import { spentOf } from './budget-limits.js';
import type { Command } from './commands.js';
import type { AccountEvent } from './events.js';
import type { AccountState, Budget } from './state.js';
import { run, type History, type Stage } from './histories.suite.js';
import { after, brokenInvariants, callAt, DAY, given, openAccount } from './scenario.suite.js';
import { allBeauty, grantCredits, HOUR, issueApiKey, revokeApiKey } from './scenario.suite.js';
import { setBudget, terms, TUESDAY } from './scenario.suite.js';

/** Remembers everything: each key that was ever issued, and each call. */
class NaiveKeys {
  private readonly events: AccountEvent[] = [];

  add(events: readonly AccountEvent[]): void {
    this.events.push(...events);
  }

  /** Of every key, whether it could call at a moment. */
  open(at: number): readonly boolean[] {
    const keys: { end: number | null; revoked: boolean }[] = [];
    for (const { type, data } of this.events) {
      if (type === 'ApiKeyIssued') {
        keys.push({
          end: data.expires_at === null ? null : Date.parse(data.expires_at),
          revoked: false,
        });
      }
      const key = type === 'ApiKeyRevoked' ? keys[data.api_key - 1] : undefined;
      if (key !== undefined) key.revoked = true;
    }
    return keys.map(({ end, revoked }) => !revoked && (end === null || end > at));
  }

  spent({ apiKey, period }: Budget, at: number): number {
    const { startsAt } =
      period === 'month' ? terms.calendar.monthAt(at) : terms.calendar.windowAt(at);
    let credits = 0;
    for (const { type, at: moment, data } of this.events) {
      const isCounted = type === 'CallMade' && (apiKey ?? data.api_key) === data.api_key;
      if (isCounted && moment >= startsAt) credits += data.cost[0] + data.cost[1];
    }
    return credits;
  }
}

type Step = History[number][1];
const keyId = (which: number): string => `key-${which}`;

const issue = fc.constantFrom(null, HOUR, 2 * DAY).map<Step>((left) => (at, { lastApiKey }) => {
  const expiresAt = left === null ? null : at + left;
  return issueApiKey({ keyId: keyId(lastApiKey + 1), expiresAt });
});
const revoke = fc.nat(12).map<Step>((which) => (_at, { lastApiKey }) => {
  const revoked = Math.max(1, lastApiKey - which);
  return revokeApiKey(keyId(revoked));
});
const call = fc
  .record({ which: fc.nat(12), category: fc.constantFrom('beauty', 'nails'), callId: fc.uuid() })
  .map<Step>(({ which, category, callId }) => (at, { lastApiKey }) => {
    const apiKey = Math.max(1, lastApiKey - which);
    return callAt(at, { resource: { ...allBeauty, category }, rows: 20, apiKey, callId });
  });
const budget = fc
  .record({
    limit: fc.constantFrom(50_000, 50_010, 200_000),
    which: fc.nat(3),
    slot: fc.nat(3),
    period: fc.constantFrom('month' as const, 'window' as const),
    action: fc.constantFrom('alert' as const, 'block' as const),
  })
  .map<Step>(({ limit, which, slot, ...changes }) => (_at, { apiKeys, budgets }) => {
    const budgetId = `budget-${slot}`;
    const known = budgets.find(({ id }) => id === budgetId);
    const apiKeyId = known === undefined ? (apiKeys.at(-1 - which)?.id ?? null) : known.apiKeyId;
    return setBudget(limit, { ...changes, budgetId, isNew: known === undefined, apiKeyId });
  });

const keyHistory: fc.Arbitrary<History> = fc.array(
  fc.tuple(
    fc.constantFrom(0, 0, 0, HOUR, DAY, 9 * DAY),
    fc.oneof(
      { weight: 6, arbitrary: issue },
      { weight: 6, arbitrary: revoke },
      { weight: 8, arbitrary: call },
      { weight: 2, arbitrary: budget },
    ),
  ),
  { minLength: 20, maxLength: 120, size: 'max' },
);

/** Compares the decision of one step with that of a model that remembers everything. */
function expectNaive(naive: NaiveKeys, { command, at, decision, before }: Stage): void {
  const open = naive.open(at);
  const own = decision.own === null ? undefined : decision.events[decision.own];
  if (command.command === 'issue-api-key') {
    const isFull = open.filter(Boolean).length >= ACTIVE_API_KEYS_MAX;
    const expected = isFull ? undefined : open.length + 1;
    expect(own?.type === 'ApiKeyIssued' ? own.data.api_key : undefined).toBe(expected);
  }
  if (command.command === 'revoke-api-key') {
    const ordinal = Number(command.keyId.slice('key-'.length));
    expect(decision.refusal).toBeNull();
    expect(own !== undefined).toBe(open[ordinal - 1]);
  }
  if (command.command === 'make-call') {
    const isInvalid = decision.refusal?.reason === 'key-invalid';
    expect(isInvalid).toBe(!open[command.request.apiKey - 1]);
  }
  expect(before.lastApiKey).toBe(open.length);
}

describe('an account that forgets API keys that are over', () => {
  it('decides as one that remembers all of them', () => {
    fc.assert(
      fc.property(keyHistory, (steps) => {
        const naive = new NaiveKeys();
        run({ overdraft: null }, steps, (stage) => {
          expectNaive(naive, stage);
          naive.add(stage.decision.events);
          const { after: state } = stage;
          expect(brokenInvariants(state)).toEqual([]);
          for (const one of state.budgets) {
            expect(spentOf(state, one)).toBe(naive.spent(one, state.lastAt));
          }
        });
      }),
      { numRuns: 150 },
    );
  });

  it.each<[string, number | null]>([
    ['revoked', null],
    ['expired', HOUR],
  ])('is as large after 1,000 keys that called and were %s as after 300', (_how, left) => {
    const commands = (at: number, { lastApiKey }: AccountState): Command[] => {
      const ordinal = lastApiKey + 1;
      const expiresAt = left === null ? null : at + left;
      return [
        issueApiKey({ keyId: keyId(ordinal), expiresAt }),
        callAt(at, { apiKey: ordinal }),
        ...(ordinal === 1 ? [setBudget(60_000, { apiKeyId: 'key-1' })] : []),
        ...(left === null ? [revokeApiKey(keyId(ordinal))] : []),
      ];
    };
    let state = given([TUESDAY, openAccount()], [TUESDAY, grantCredits(1_000_000)]);
    const sizes: number[] = [];
    for (let count = 1; count <= 1_000; count += 1) {
      const at = TUESDAY + (left === null ? 0 : count * 60_000);
      for (const command of commands(at, state)) state = after(state, at, command);
      sizes.push(JSON.stringify(state).length);
    }
    expect(state.lastApiKey).toBe(1_000);
    expect(state.totals.charged).toBe(50_000 + 999 * 10);
    expect(Math.max(...sizes.slice(300))).toBeLessThan(1.1 * Math.max(...sizes.slice(0, 300)));
    const [first] = state.budgets;
    expect(first && spentOf(state, first)).toBe(50_000);
  });
});

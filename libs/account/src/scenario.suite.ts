import { Calendar } from '#calendar/calendar.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import type { Listing } from '#rating/resource.js';
import { resourceKey } from '#rating/resource-key.js';
import type { ChangeAccount, OpenAccount } from './account.js';
import { evolveAll } from './advance.js';
import type { IssueApiKey } from './api-keys.js';
import type { RecordBilling } from './billing.js';
import type { SetBudget } from './budgets.js';
import type { ChargeRequest } from './charging.js';
import type { Command, MakeCall } from './commands.js';
import type { GrantCredits } from './credits.js';
import type { Terms } from './decide-call.js';
import { decide, type Decision } from './decide.js';
import type { AccountEvent } from './events.js';
import type { PlaceHold, ReleaseHold } from './holds.js';
import type { SettleHold } from './settle-hold.js';
import { type AccountState, initialState } from './state.js';
import type { Plan, Totals } from './terms.js';

/** Tuesday, 24 November 2026, 09:00 UTC: in window 2026w48. */
export const TUESDAY = Date.UTC(2026, 10, 24, 9);
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const terms: Terms = { calendar: new Calendar('UTC'), cards: [RATE_CARD_1] };
export const origin = { by: 'owner', request: 'request-1', input: 'input-1' };
const profile = { id: '0197c000-0000-7000-8000-000000000001', sha256: '00' };

export const allBeauty: Listing = {
  resource: 'trends',
  level: 'cat1',
  limit: 'all',
  region: 'us',
  category: 'beauty',
};

export const plan: Plan = {
  monthly_fee: 4_900,
  included_credits: 60_000,
  price_per_1000_credits: 1_250,
  tax: { category: 'S', rate_percent: 19 },
};

export function openAccount(changes: Partial<OpenAccount> = {}): OpenAccount {
  return {
    command: 'open-account',
    origin,
    profile,
    currency: 'USD',
    overdraft: 0,
    test: false,
    testClock: null,
    rateLimit: null,
    lowBalance: null,
    rateCard: null,
    plan: null,
    ...changes,
  };
}

export function issueApiKey(changes: Partial<IssueApiKey> = {}): IssueApiKey {
  return {
    command: 'issue-api-key',
    origin,
    keyId: 'key-1',
    hash: 'ab'.repeat(32),
    prefix: 'pix_live_',
    lastFour: 'wxyz',
    scopes: ['data', 'account:read'],
    expiresAt: null,
    profile,
    ...changes,
  };
}

export function revokeApiKey(keyId: string, wasIssued = true): Command {
  return { command: 'revoke-api-key', origin, keyId, wasIssued };
}

export function grantCredits(credits: number, changes: Partial<GrantCredits> = {}): GrantCredits {
  return {
    command: 'grant-credits',
    origin,
    grantId: `grant-of-${credits}`,
    credits,
    kind: 'purchased',
    price: null,
    expiresAt: null,
    priority: 100,
    profile: null,
    ...changes,
  };
}

export function adjust(
  credits: number,
  call: { callId: string; charged: number; at?: number } | null = null,
) {
  const reason = 'Goodwill.';
  const grantId = `adjustment-of-${credits}`;
  return {
    command: 'adjust-credits' as const,
    origin: { ...origin, reason },
    credits,
    call,
    grantId,
  };
}

export function changeAccount(changes: ChangeAccount['changes']): ChangeAccount {
  return { command: 'change-account', origin, changes };
}

export function voidGrant(
  grantId: string,
  { wasGiven = true, refund = true }: { wasGiven?: boolean; refund?: boolean } = {},
): Command {
  return { command: 'void-grant', origin, grantId, wasGiven, refund };
}

/** A credit note for purchases, decided at a version of the account's billing. */
export function creditNote(
  after: number,
  noteId: string,
  purchases: RecordBilling['purchases'],
  keptAs?: RecordBilling['keptAs'],
): RecordBilling {
  const amounts = { net: 1, tax: 0, total: 1, currency: 'USD' };
  const data = {
    credit_note_id: noteId,
    invoice_id: 'invoice-1',
    month: '2026-11',
    series: 'CN' as const,
    issue_date: '2026-12-01',
    lines: [[1, 1]] as const,
    sha256: 'ab'.repeat(32),
    ...amounts,
  };
  const record = { type: 'CreditNoteSealed', data } as const;
  return { command: 'record-billing', origin, after, record, purchases, keptAs };
}

export function setBudget(limit: number, changes: Partial<SetBudget> = {}): SetBudget {
  return {
    command: 'set-budget',
    origin,
    budgetId: 'budget-1',
    isNew: true,
    apiKeyId: null,
    period: 'month',
    limit,
    thresholds: [50, 80, 100],
    action: 'alert',
    notify: null,
    ...changes,
  };
}

/** A call at a moment, as the API would ask for it then. */
export function callAt(at: number, changes: Partial<ChargeRequest> = {}): MakeCall {
  const resource = changes.resource ?? allBeauty;
  const window = terms.calendar.windowAt(at).label;
  const key = changes.key ?? resourceKey(resource, window);
  const request: ChargeRequest = {
    callId: 'call-1',
    accountId: 'account-1',
    apiKey: 1,
    key,
    asked: key,
    resource,
    rows: 7,
    window,
    release: 'r1',
    maxCredits: null,
    tags: null,
    isRetry: false,
    notAfter: at + 10_000,
    ...changes,
  };
  return { command: 'make-call', request };
}

/** A hold of a first call at a moment, for five minutes; its call is named after it. */
export function hold(at: number, id: string, changes: Partial<PlaceHold> = {}): PlaceHold {
  const call = callAt(at, { callId: `call-of-${id}` });
  const expiresIn = 300_000;
  return {
    command: 'place-hold',
    hold: id,
    request: call.request,
    credits: null,
    over: 'cap',
    max: null,
    expiresIn,
    ...changes,
  };
}

/** A settlement of so many rows. */
export function settle(id: string, rows: number, changes: Partial<SettleHold> = {}): SettleHold {
  return { command: 'settle-hold', hold: id, rows, ...changes };
}

export function release(id: string, changes: Partial<ReleaseHold> = {}): ReleaseHold {
  return { command: 'release-hold', hold: id, cause: 'caller', ...changes };
}

/** An account built by commands that must all succeed, each at its moment. */
export function given(
  ...steps: readonly (readonly [at: number, command: Command])[]
): AccountState {
  return steps.reduce((state, [at, command]) => after(state, at, command), initialState);
}

/** A state after one more command, which must succeed. */
export function after(state: AccountState, at: number, command: Command): AccountState {
  const { events, refusal } = decide(state, command, at, terms);
  if (refusal !== null) throw new Error(`The scenario was refused: ${refusal.reason}.`);
  return evolveAll(state, events);
}

/** An open account with one API key and a grant, an hour before that Tuesday's nine o'clock. */
export function prepaid(credits: number, changes: Partial<OpenAccount> = {}): AccountState {
  const at = changes.testClock ?? TUESDAY - HOUR;
  return given([at, openAccount(changes)], [at, issueApiKey()], [at, grantCredits(credits)]);
}

export function when(state: AccountState, at: number, command: Command): Decision {
  return decide(state, command, at, terms);
}

/** The command's own event; fails where it was refused or had nothing to do. */
export function ownEvent<Type extends AccountEvent['type']>(
  decision: Decision,
  type: Type,
): Extract<AccountEvent, { type: Type }> {
  const event = decision.own === null ? undefined : decision.events[decision.own];
  if (event?.type !== type) throw new Error(`Expected ${type}: ${JSON.stringify(decision)}`);
  return event as Extract<AccountEvent, { type: Type }>;
}

/** The sum of an account's totals: its balance. */
function sumOf({ granted, adjusted, charged, expired, voided, billed }: Totals): number {
  return granted + adjusted - charged - expired - voided + billed;
}

/** Types and moments of events, and of each what the picks name. */
export function outline(events: readonly AccountEvent[], ...members: readonly string[]): object[] {
  return events.map(({ type, at, data }) => {
    const picked = Object.entries(data).filter(([name]) => members.includes(name));
    return { type, at: new Date(at).toISOString(), ...Object.fromEntries(picked) };
  });
}

/** Broken invariants of a state; empty: none. */
export function brokenInvariants(state: AccountState): string[] {
  const { balance, totals, grants, monthUse, windowUse, holds } = state;
  const broken: string[] = [];
  const left = grants.reduce((sum, grant) => sum + grant.left, 0);
  const sum = sumOf(totals);
  if (balance !== sum) broken.push(`balance ${balance} is not the sum ${sum} of what happened`);
  if (Math.max(balance, 0) !== left) broken.push(`grants hold ${left} of a balance of ${balance}`);
  if (grants.some((grant) => grant.left <= 0)) broken.push('a spent grant is kept');
  for (const { credits, creditsByKey } of [monthUse, windowUse]) {
    const byKey = creditsByKey.reduce((sumOfKeys, [, ofKey]) => sumOfKeys + ofKey, 0);
    if (byKey !== credits) broken.push(`keys have used ${byKey} of ${credits} credits`);
  }
  const { credits: held, open } = holds ?? { credits: 0, open: [] };
  const sumHeld = open.reduce((credits, one) => credits + one.credits, 0);
  if (held !== sumHeld) broken.push(`${held} are held, but ${sumHeld} by open holds`);
  const late = open.find((one) => one.expiresAt <= state.lastAt);
  if (late !== undefined) broken.push(`hold ${late.id} is open past its expiry`);
  return broken;
}

/**
 * Nothing takes a balance below its limit; it may lie there only because the overdraft was lowered.
 * Answers what is broken by a step from one state to the next.
 */
export function brokenLimit(before: AccountState, after: AccountState): string[] {
  const { balance, overdraft } = after;
  const isBelow = overdraft !== null && balance < -overdraft;
  return isBelow && balance < before.balance ? [`balance ${balance} below its limit`] : [];
}

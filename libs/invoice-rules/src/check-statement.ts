import { sumOf } from './money.js';
import type { DayCharges, Statement } from './statement.js';

/** A call as an account's holder exports it: `GET /v1/account/calls` (contract 3.2). */
export interface ExportedCall {
  readonly call_id: string;
  /** RFC 3339. */
  readonly at: string;
  readonly credits_used: number;
  readonly balance_after: number;
}

/** An event as an account's holder exports it: `GET /v1/account/events`. */
export interface ExportedEvent {
  readonly account_version: number;
  readonly call_id: string | null;
  readonly type: string;
  /** RFC 3339. */
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Exports that a statement is held against; calls come oldest first or newest first. */
export interface StatementEvidence {
  readonly calls?: readonly ExportedCall[] | undefined;
  readonly events?: readonly ExportedEvent[] | undefined;
}

/** A rule that a statement keeps where there are no differences. */
export interface StatementRule {
  readonly rule: string;
  readonly differences: readonly string[];
}

/** The days of a zone: a `Calendar` knows them. */
export interface Days {
  dayAt(at: number): { readonly label: string };
}

/** A change of the balance that is no call. */
interface Change {
  readonly at: number;
  readonly credits: number;
}

function changesOf(statement: Statement): Change[] {
  const { grants, adjustments, expiries, voids } = statement;
  const signed = [
    ...[...grants, ...adjustments].map(({ at, credits }) => ({ at, credits })),
    ...[...expiries, ...voids].map(({ at, credits }) => ({ at, credits: -credits })),
  ];
  return signed
    .map(({ at, credits }) => ({ at: Date.parse(at), credits }))
    .toSorted((one, other) => one.at - other.at);
}

function sumByDay(calls: readonly ExportedCall[], calendar: Days): Map<string, DayCharges> {
  const days = new Map<string, DayCharges>();
  for (const { at, credits_used } of calls) {
    const day = calendar.dayAt(Date.parse(at)).label;
    const before = days.get(day) ?? { day, calls: 0, credits: 0 };
    days.set(day, { day, calls: before.calls + 1, credits: before.credits + credits_used });
  }
  return days;
}

function checkDays(statement: Statement, days: ReadonlyMap<string, DayCharges>): string[] {
  const charged = new Map(statement.charges.map((charges) => [charges.day, charges]));
  const labels = [...new Set([...charged.keys(), ...days.keys()])].toSorted();
  return labels.flatMap((day) => {
    const { calls = 0, credits = 0 } = charged.get(day) ?? {};
    const exported = days.get(day) ?? { calls: 0, credits: 0 };
    if (calls === exported.calls && credits === exported.credits) return [];
    const stated = `the statement has ${calls} calls for ${credits} credits`;
    return [`${day}: ${stated}, the calls are ${exported.calls} for ${exported.credits}.`];
  });
}

/**
 * Follows the balance from call to call. What moved it in the very millisecond of a call may have
 * come before it or after, so it is taken in where the call's balance asks for it.
 */
function checkBalances(statement: Statement, calls: readonly ExportedCall[]): string[] {
  const found: string[] = [];
  const changes = changesOf(statement);
  let balance = statement.opening_balance;
  let next = 0;
  const take = (isDue: (change: Change) => boolean): void => {
    for (let change = changes[next]; change && isDue(change); change = changes[next]) {
      balance += change.credits;
      next += 1;
    }
  };
  for (const { call_id, at, credits_used, balance_after } of calls) {
    const moment = Date.parse(at);
    take((change) => change.at < moment);
    take((change) => change.at === moment && balance - credits_used !== balance_after);
    balance -= credits_used;
    if (balance !== balance_after) {
      found.push(`${call_id}: the balance after it is ${balance}, the call says ${balance_after}.`);
      balance = balance_after;
    }
  }
  take(() => true);
  balance += statement.billed_credits;
  if (balance === statement.closing_balance) return found;
  return [...found, `The closing balance is ${balance}, not ${statement.closing_balance}.`];
}

/**
 * Whether a statement adds up by itself: opening balance, everything that moved it, what was billed
 * and closing balance. Answers what is wrong as a sentence.
 */
export function checkArithmetic(statement: Statement): string[] {
  const { opening_balance, charges, billed_credits, closing_balance } = statement;
  const moved = changesOf(statement).map(({ credits }) => credits);
  const charged = charges.map(({ credits }) => -credits);
  const balance = sumOf([opening_balance, ...moved, ...charged, billed_credits], 'The balance');
  if (balance === closing_balance) return [];
  return [`The entries add up to ${balance}, the closing balance is ${closing_balance}.`];
}

/**
 * Holds a statement against the account's exported calls alone: days, and the balance from call to
 * call to the end. Calls come oldest first; those of other months are passed over. The calendar is
 * that of the statement's zone. Answers what is wrong, each as a sentence; nothing: it is right.
 */
export function checkStatement(
  statement: Statement,
  calls: readonly ExportedCall[],
  calendar: Days,
): string[] {
  const { from, to } = statement.period;
  const own = calls.filter(({ at }) => {
    const day = calendar.dayAt(Date.parse(at)).label;
    return day >= from && day <= to;
  });
  return [...checkDays(statement, sumByDay(own, calendar)), ...checkBalances(statement, own)];
}

/**
 * Holds a statement's head against the account's events of the month: `chain` is the rule by which
 * a head follows from the one before and an event. Answers what is wrong, each as a sentence.
 */
export async function checkHead<Event extends { readonly accountVersion: number }>(
  { account_version: { from, to }, opening_head, account_head }: Statement,
  events: readonly Event[],
  chain: (head: string, event: Event) => string | Promise<string>,
): Promise<string[]> {
  const isWhole =
    events.length === to - from + 1 &&
    events.every(({ accountVersion }, index) => accountVersion === from + index);
  if (!isWhole) return [`The events are not those of the versions ${from} to ${to}, in order.`];
  let head = opening_head;
  for (const event of events) head = await chain(head, event);
  return head === account_head ? [] : [`The head of the events is ${head}, not ${account_head}.`];
}

/**
 * Holds a statement against everything that its holder has exported, rule by rule. The calendar is
 * that of its zone; `chain` is the rule by which a head follows from the one before and an event.
 */
export async function checkEvidence(
  statement: Statement & { readonly final: boolean },
  { calls, events }: StatementEvidence,
  calendar: Days,
  chain: (head: string, event: ExportedEvent) => string | Promise<string>,
): Promise<StatementRule[]> {
  const rules: StatementRule[] = [
    { rule: 'its entries add up to its closing balance', differences: checkArithmetic(statement) },
  ];
  if (calls !== undefined) {
    const differences = checkStatement(statement, oldestFirst(calls), calendar);
    rules.push({ rule: 'its days and its balance are those of the calls', differences });
  }
  if (events === undefined) return rules;
  const { from, to } = statement.account_version;
  const own = events
    .filter(({ account_version: version }) => version >= from && version <= to)
    .map((event) => ({ accountVersion: event.account_version, event }));
  const differences = statement.final
    ? await checkHead(statement, own, (head, { event }) => chain(head, event))
    : ['It has no head yet: its month is not closed.'];
  return [...rules, { rule: "the account's events lead from head to head", differences }];
}

function oldestFirst(calls: readonly ExportedCall[]): readonly ExportedCall[] {
  const isDescending = Date.parse(calls[0]?.at ?? '') > Date.parse(calls.at(-1)?.at ?? '');
  return isDescending ? calls.toReversed() : calls;
}

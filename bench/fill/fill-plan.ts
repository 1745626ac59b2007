import type { Plan } from '#account/terms.js';
import { Calendar } from '#calendar/calendar.js';

/** Content of a filled log. The same plan makes the same log. */
export interface FillPlan {
  /** Accounts, spread evenly over the lanes. */
  readonly accounts: number;
  /** Calls of each account. */
  readonly calls: number;
  /** Resources that each account calls in each window, at most. */
  readonly keys: number;
  /** Ms since 1970. All accounts are opened at `from`; `to` must have passed. */
  readonly from: number;
  readonly to: number;
  /** Billing time zone. */
  readonly zone: string;
  /** A plan of the accounts, so that their months are invoiced; absent: they have none. */
  readonly terms?: Plan;
}

/** Calls of each account of a common plan, in two windows, and of how many resources in each. */
const CALLS_MIN = 2_000;
const KEYS = 100;
/** Beyond it each account makes more calls, so that larger logs differ in nothing else. */
const ACCOUNTS_MAX = 10_000;

/**
 * A plan of about so many calls, at least 90 % of them repeats, in the window before and the
 * running one.
 */
export function commonPlan(calls: number, now: number): FillPlan {
  const zone = 'UTC';
  const accounts = Math.min(ACCOUNTS_MAX, Math.ceil(calls / CALLS_MIN));
  const each = Math.max(CALLS_MIN, Math.ceil(calls / accounts));
  return { accounts, calls: each, keys: KEYS, from: beginningBefore(zone, now), to: now, zone };
}

/** Beginning of the window before the one that a moment lies in, ms since 1970. */
export function beginningBefore(zone: string, at: number): number {
  const calendar = new Calendar(zone);
  return calendar.previousWindow(calendar.windowAt(at)).startsAt;
}

/** The part of a plan that lies in one window. Every account calls as often in each of them. */
export interface FillWindow {
  readonly label: string;
  /** Calls are spread evenly from here to there, in ms since 1970. */
  readonly from: number;
  readonly to: number;
  /** Calls of each account, and how many resources they are made of. */
  readonly calls: number;
  readonly keys: number;
}

/**
 * Shares out the calls of each account over the windows between `from` and `to`, as many to one
 * that has just begun as to a whole one.
 */
export function windowsOf({ calls, keys, from, to, zone }: FillPlan): FillWindow[] {
  const calendar = new Calendar(zone);
  const spans: { readonly label: string; readonly from: number; readonly to: number }[] = [];
  for (let at = from; at < to;) {
    const { label, endsAt } = calendar.windowAt(at);
    spans.push({ label, from: at, to: Math.min(endsAt, to) });
    at = endsAt;
  }
  const upTo = (count: number): number => Math.floor((calls * count) / spans.length);
  return spans.map((span, index) => {
    const own = upTo(index + 1) - upTo(index);
    return { ...span, calls: own, keys: Math.min(keys, own) };
  });
}

/** A call of a window, from 0: the first of its resource, or a repeat of an earlier one. */
export function ordinalOfCall({ calls, keys }: FillWindow, call: number): number {
  const newest = Math.floor((call * keys) / calls);
  const isNew = call === 0 || newest > Math.floor(((call - 1) * keys) / calls);
  return isNew ? newest : (Math.imul(call, SPREAD) >>> 0) % (newest + 1);
}

/** Multiplied by it, numbers one after the other come to lie far apart (Knuth). */
const SPREAD = 0x9e3779b1;

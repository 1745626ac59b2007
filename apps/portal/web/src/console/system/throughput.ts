import { sumBy, totalOf, type Sample } from './metrics-text.js';

/** Counters at a moment, in ms on any steady clock. */
export interface Reading {
  readonly at: number;
  readonly samples: readonly Sample[];
}

/** Rates per second between two readings. */
export interface Rates {
  readonly at: number;
  readonly base: number;
  readonly repeat: number;
  readonly refused: number;
  readonly credits: number;
}

const CHARGES = 'popindex_charges_total';
const REFUSALS = 'popindex_refusals_total';
const CREDITS = 'popindex_charged_credits_total';

/** Counts begin at 0 again where the process was restarted. */
function rise(before: number, after: number): number {
  return after >= before ? after - before : after;
}

export function ratesBetween(before: Reading, after: Reading): Rates {
  const seconds = Math.max(0.001, (after.at - before.at) / 1_000);
  const [was, is] = [before, after].map(({ samples }) => sumBy(samples, CHARGES, 'kind'));
  const kind = (name: string) => rise(was?.get(name) ?? 0, is?.get(name) ?? 0) / seconds;
  const of = (name: string) =>
    rise(totalOf(before.samples, name), totalOf(after.samples, name)) / seconds;
  return {
    at: after.at,
    base: kind('base'),
    repeat: kind('repeat'),
    refused: of(REFUSALS),
    credits: of(CREDITS),
  };
}

/** Calls that were not charged since the process started, by reason, most first. */
export function refusalsOf(samples: readonly Sample[]): readonly (readonly [string, number])[] {
  return [...sumBy(samples, REFUSALS, 'reason')].toSorted(([, one], [, other]) => other - one);
}

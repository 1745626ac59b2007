import type { OverHold } from './terms.js';

/** Credits that are kept back for a call whose price is known once its work is done. */
export interface Hold {
  readonly id: string;
  /** Id of the call that a settlement makes. */
  readonly callId: string;
  readonly key: string;
  /** Ordinal of the API key. */
  readonly apiKey: number;
  readonly credits: number;
  /** Version of the rate card that prices the call. */
  readonly card: number;
  readonly over: OverHold;
  /** Most credits that a settlement may charge; null: no ceiling beside funds and budgets. */
  readonly max: number | null;
  readonly expiresAt: number;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly request?: string | undefined;
}

/** The open holds of an account, the earliest expiry first, and what they hold together. */
export interface Holds {
  readonly credits: number;
  readonly open: readonly Hold[];
}

/** Holds with one more, behind those that expire at the same moment. */
export function withHold(holds: Holds | undefined, hold: Hold): Holds {
  if (holds === undefined) return { credits: hold.credits, open: [hold] };
  const { credits, open } = holds;
  // Nearly every hold expires after all that were placed before it.
  const at = open.findLastIndex(({ expiresAt }) => expiresAt <= hold.expiresAt) + 1;
  return { credits: credits + hold.credits, open: open.toSpliced(at, 0, hold) };
}

/** Holds without one of them; undefined: nothing is held any more. Throws Error for another. */
export function withoutHold(holds: Holds | undefined, id: string): Holds | undefined {
  const at = holds?.open.findIndex((hold) => hold.id === id) ?? -1;
  const hold = holds?.open[at];
  if (holds === undefined || hold === undefined) throw new Error(`There is no open hold ${id}.`);
  if (holds.open.length === 1) return undefined;
  return { credits: holds.credits - hold.credits, open: holds.open.toSpliced(at, 1) };
}

/** The open hold of an id; undefined: there is none. */
export function openHold(holds: Holds | undefined, id: string): Hold | undefined {
  return holds?.open.find((hold) => hold.id === id);
}

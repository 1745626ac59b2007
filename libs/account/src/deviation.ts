import type { Refusal } from './refusal.js';

/** One member of a recorded event that is not what the decision would say. */
export interface Deviation {
  readonly member: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/** A member that is not as it would be decided. */
export function deviation(member: string, expected: unknown, found: unknown): Deviation {
  return { member, expected, found };
}

/** The same where the two differ at all. */
export function deviationOf(member: string, expected: unknown, found: unknown): Deviation | null {
  return expected === found ? null : deviation(member, expected, found);
}

/** A record of what would have been refused. */
export function refused({ reason }: Refusal): Deviation {
  return deviation('decision', `refused: ${reason}`, 'recorded');
}

/** The first member in which a record differs from what would be recorded. */
export function compare(expected: object | undefined, found: object): Deviation | null {
  const wanted = (expected ?? {}) as Readonly<Record<string, unknown>>;
  const recorded = found as Readonly<Record<string, unknown>>;
  for (const member in recorded) {
    if (!isSame(wanted[member], recorded[member])) {
      return deviation(member, wanted[member], recorded[member]);
    }
  }
  for (const member in wanted) {
    const isMissing = !(member in recorded) && wanted[member] !== undefined;
    if (isMissing) return deviation(member, wanted[member], undefined);
  }
  return null;
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false;
  if (Array.isArray(one) && Array.isArray(other)) return isSameList(one, other);
  return compare(one, other) === null;
}

/** By index: members of an array by their names would take most of the time of an audit. */
function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) {
    if (!isSame(one[index], other[index])) return false;
  }
  return true;
}

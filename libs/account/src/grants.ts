import type { Grant } from './state.js';
import type { Draw } from './terms.js';

/** Order of drawing: priority, then earliest expiry, then oldest. */
function compareDrawing(a: Grant, b: Grant): number {
  return (
    a.priority - b.priority ||
    (a.expiresAt ?? Infinity) - (b.expiresAt ?? Infinity) ||
    a.ordinal - b.ordinal
  );
}

/** Adds a grant in its place of the drawing order; one with nothing left is not kept. */
export function withGrant(grants: readonly Grant[], grant: Grant): readonly Grant[] {
  if (grant.left === 0) return grants;
  // Infinity - Infinity is NaN in the comparison of two that never expire: `||` goes on with it.
  const at = grants.findIndex((other) => compareDrawing(grant, other) < 0);
  return at < 0 ? [...grants, grant] : grants.toSpliced(at, 0, grant);
}

/** Draws of a cost from grants, in drawing order. A rest that they do not cover is left out. */
export function drawsFor(grants: readonly Grant[], cost: number): readonly Draw[] {
  const [first] = grants;
  // Nearly every call draws on the first grant alone.
  if (first !== undefined && cost > 0 && cost <= first.left) return [[first.ordinal, cost]];
  const draws: Draw[] = [];
  let open = cost;
  for (const grant of grants) {
    if (open === 0) break;
    const credits = Math.min(open, grant.left);
    draws.push([grant.ordinal, credits]);
    open -= credits;
  }
  return draws;
}

/** The grants after draws; those with nothing left are dropped. Throws on an impossible draw. */
export function afterDraws(grants: readonly Grant[], draws: readonly Draw[]): readonly Grant[] {
  const [only, ...others] = draws;
  const [first] = grants;
  if (only === undefined) return grants;
  // Nearly every call draws on the first grant alone.
  if (others.length === 0 && first?.ordinal === only[0] && only[1] < first.left) {
    return grants.with(0, { ...first, left: first.left - only[1] });
  }
  const taken = new Map(draws);
  const after: Grant[] = [];
  for (const grant of grants) {
    const credits = taken.get(grant.ordinal) ?? 0;
    taken.delete(grant.ordinal);
    if (credits > grant.left) throw new Error(`Grant ${grant.ordinal} does not hold ${credits}.`);
    if (credits === 0) after.push(grant);
    else if (credits < grant.left) after.push({ ...grant, left: grant.left - credits });
  }
  if (taken.size > 0) throw new Error(`No grant ${[...taken.keys()].join(', ')} to draw from.`);
  return after;
}

/** The debt that new credits repay first: what calls cost beyond all grants. */
export function debtOf(balance: number): number {
  return Math.max(0, -balance);
}

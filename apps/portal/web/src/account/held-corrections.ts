import type { Missing } from '#invoice-rules/missing.js';
import { BUYER_ADDRESS } from './party-fields.js';

/** Reasons of a held invoice, by who corrects them. */
export interface Corrections {
  /** Fields of the billing form that a manager of the account fills in. */
  readonly fields: readonly string[];
  /** Reasons that the operator corrects, in sentences. */
  readonly others: readonly string[];
}

/** The label of the field of the billing form for a reason; undefined: it has none. */
function fieldOf({ party, pointer }: Missing): string | undefined {
  if (party !== 'buyer') return undefined;
  const name = pointer.slice(1);
  // An electronic address has two fields; its own name stands at the second one.
  const field = BUYER_ADDRESS.findLast(
    (one) => one.name === name || one.name.startsWith(`${name}/`),
  );
  return field?.label.replace(' (optional)', '');
}

export function correctionsOf(reasons: readonly Missing[]): Corrections {
  const fields = reasons.flatMap((reason) => fieldOf(reason) ?? []);
  const others = reasons.filter((reason) => fieldOf(reason) === undefined);
  return { fields: [...new Set(fields)], others: others.map(({ detail }) => detail) };
}

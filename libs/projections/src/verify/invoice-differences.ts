import type { Invoice, InvoiceDraft } from '#invoice-rules/invoice.js';

/** One rule and what breaks it, each as a sentence; nothing: it holds. */
export interface DocumentRule {
  readonly rule: string;
  readonly differences: readonly string[];
}

const COMPARED = [
  'period',
  'reissue_of',
  'net',
  'tax_breakdown',
  'tax',
  'total',
  'tax_accounting',
  'account_version',
] as const satisfies readonly (keyof InvoiceDraft)[];

type Line = InvoiceDraft['lines'][number];

/** The reason of an adjustment may have been erased since it was printed. */
function asErased(says: Line | undefined, follows: Line | undefined): Line | undefined {
  if (says?.type !== 'adjustment' || follows?.type !== 'adjustment') return follows;
  if (follows.reason !== '') return follows;
  return { ...follows, reason: says.reason, description: says.description };
}

/** In what an issued invoice is not as the events say, a sentence each. */
export function differencesOf(invoice: Invoice, draft: InvoiceDraft): string[] {
  const count = Math.max(invoice.lines.length, draft.lines.length);
  const pairs = Array.from({ length: count }, (_, index) => {
    const says = invoice.lines[index];
    return [`line ${index + 1}`, says, asErased(says, draft.lines[index])] as const;
  });
  return [
    ...pairs.flatMap(([what, says, follows]) => difference(what, says, follows)),
    ...memberDifferences(invoice, draft, COMPARED),
  ];
}

/** In which of these members an issued document is not as the events say, a sentence each. */
export function memberDifferences<Draft extends object>(
  says: Draft,
  follows: Draft,
  names: readonly (keyof Draft & string)[],
): string[] {
  return names.flatMap((name) => difference(name, says[name], follows[name]));
}

function difference(what: string, says: unknown, follows: unknown): string[] {
  const [found, expected] = [JSON.stringify(says ?? null), JSON.stringify(follows ?? null)];
  return found === expected ? [] : [`${what}: it says ${found}, the events say ${expected}.`];
}

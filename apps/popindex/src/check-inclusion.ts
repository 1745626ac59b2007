import { z } from 'zod';
import type { Receipt } from '#client/receipts.js';
import { headLeafHash, rootOf } from '#event-log/merkle.js';
import { checked, readJsonFile } from './exported-records.js';
import type { Rule } from './rule-report.js';

const hash = z.string().regex(/^[0-9a-f]{64}$/);

const proofOf = z.object({
  call_id: z.string(),
  leaf_index: z.int().min(0),
  path: z.array(hash).max(64),
});

const invoiceOf = z.object({
  number: z.string(),
  account_id: z.string(),
  account_version: z.object({ from: z.int(), to: z.int() }),
  calls_tree: z.object({ count: z.int().min(0), root: hash }, 'The invoice names no tree of calls'),
});

export type Proof = z.output<typeof proofOf>;
type NamedTree = z.output<typeof invoiceOf>;

/** The answer of `…/inclusion/{call_id}`. Throws StartupError. */
export async function readProof(file: string): Promise<Proof> {
  return checked(proofOf, await readJsonFile(file), file);
}

/** An invoice with the tree of its calls. Throws StartupError. */
export async function readInvoice(file: string): Promise<NamedTree> {
  return checked(invoiceOf, await readJsonFile(file), file);
}

/** Whether the call of a receipt is one of the calls of an invoice. Pure. */
export function inclusionRule(
  receipt: Receipt | undefined,
  proof: Proof,
  invoice: NamedTree,
): Rule {
  const { account_id: accountId, account_version: of, calls_tree: tree, number } = invoice;
  const rule = `the call of the proof is one of the calls of ${number}`;
  if (receipt === undefined) {
    return { rule, differences: [`No receipt that holds is of call ${proof.call_id}.`] };
  }
  const { account_id: own, account_version: version, account_head: head } = receipt;
  const isOfMonth = own === accountId && version >= of.from && version <= of.to;
  const isHead = hash.safeParse(head).success;
  const root = isHead && rootOf(headLeafHash(head), proof.leaf_index, tree.count, proof.path);
  return {
    rule,
    differences: [
      ...(isOfMonth ? [] : [`Event ${version} of account ${own} is none of the invoice's.`]),
      ...(root === tree.root ? [] : [`The path leads to ${root || 'no root'}, not ${tree.root}.`]),
    ],
  };
}

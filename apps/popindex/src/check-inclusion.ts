import { z } from 'zod';
import { verifyInclusion } from '#client/inclusion.js';
import { ReceiptVerificationError, type Receipt } from '#client/receipts.js';
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

/** Whether the call of a receipt is one of the calls of an invoice. */
export async function inclusionRule(
  receipt: Receipt | undefined,
  proof: Proof,
  invoice: NamedTree,
): Promise<Rule> {
  const rule = `the call of the proof is one of the calls of ${invoice.number}`;
  if (receipt === undefined) {
    return { rule, differences: [`No receipt that holds is of call ${proof.call_id}.`] };
  }
  try {
    await verifyInclusion(receipt, proof, invoice);
    return { rule, differences: [] };
  } catch (error) {
    if (!(error instanceof ReceiptVerificationError)) throw error;
    return { rule, differences: [error.message] };
  }
}

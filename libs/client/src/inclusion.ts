import { ReceiptVerificationError, type Receipt } from './receipts.js';

/** The answer of `…/invoices/{number}/inclusion/{call_id}`. */
export interface InclusionProof {
  readonly call_id: string;
  /** Among the calls of the month, from 0 on. */
  readonly leaf_index: number;
  /** 64 hex digits each, from the leaf up. */
  readonly path: readonly string[];
}

/** An invoice with the tree of its calls. */
export interface InvoiceOfCalls {
  readonly account_id: string;
  readonly account_version: { readonly from: number; readonly to: number };
  /** Invoices of purchases have none, nor have those of earlier versions. */
  readonly calls_tree?: { readonly count: number; readonly root: string } | undefined;
}

type Bytes = Uint8Array<ArrayBuffer>;

const HASH = /^[0-9a-f]{64}$/;
const [LEAF, NODE] = [Uint8Array.of(0), Uint8Array.of(1)];

/**
 * Checks that the call of a receipt is one of the calls of an invoice, by its audit path (RFC
 * 6962). `receipt`: what a `ReceiptVerifier` returned. Throws ReceiptVerificationError.
 */
export async function verifyInclusion(
  receipt: Receipt,
  proof: InclusionProof,
  { account_id: accountId, account_version: of, calls_tree: tree }: InvoiceOfCalls,
): Promise<void> {
  const { account_id: own, account_version: version, account_head: head } = receipt;
  if (tree === undefined) throw new ReceiptVerificationError('The invoice names no tree.');
  if (receipt.call_id !== proof.call_id) {
    throw new ReceiptVerificationError(`The proof is of call ${proof.call_id}.`);
  }
  if (own !== accountId || !(version >= of.from && version <= of.to)) {
    const what = `Event ${version} of account ${own} is none of the invoice's.`;
    throw new ReceiptVerificationError(what);
  }
  const root = await rootOf(head, proof, tree.count);
  if (root !== tree.root) {
    throw new ReceiptVerificationError(`The path leads to ${root ?? 'no root'}, not ${tree.root}.`);
  }
}

/** Where a path leads to (RFC 9162, 2.1.3.2); undefined where it does not fit into the tree. */
async function rootOf(
  head: string,
  { leaf_index: index, path }: InclusionProof,
  count: number,
): Promise<string | undefined> {
  if (!(index >= 0 && index < count) || ![head, ...path].every((hash) => HASH.test(hash))) {
    return undefined;
  }
  let [place, last] = [index, count - 1];
  let root = await hashOf(LEAF, bytesOf(head));
  for (const sibling of path.map(bytesOf)) {
    if (last === 0) return undefined;
    if (place % 2 === 1 || place === last) {
      root = await hashOf(NODE, sibling, root);
      while (place % 2 === 0 && place !== 0) [place, last] = [place / 2, Math.floor(last / 2)];
    } else {
      root = await hashOf(NODE, root, sibling);
    }
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hexOf(root) : undefined;
}

async function hashOf(...parts: readonly Bytes[]): Promise<Bytes> {
  const whole = new Blob(parts as Bytes[]);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', await whole.arrayBuffer()));
}

function bytesOf(hex: string): Bytes {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

function hexOf(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

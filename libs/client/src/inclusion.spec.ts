import { headLeafHash, MerkleTree } from '../../event-log/src/merkle.js';
import { verifyInclusion, type InclusionProof } from './inclusion.js';
import { ReceiptVerificationError, type Receipt } from './receipts.js';

const HEADS = Array.from({ length: 20 }, (_, n) => n.toString(16).padStart(64, '9'));
const FROM = 11;

function receiptOf(index: number, changes: Partial<Receipt> = {}): Receipt {
  return {
    call_id: `call ${index}`,
    account_id: 'a',
    at: '2026-11-24T12:00:00.000Z',
    key: '/v1/2026w48/cat1/trends/top5/popindex/us/beauty',
    credits_used: 10,
    balance: 90,
    account_version: FROM + index,
    account_head: HEADS[index] ?? '',
    ...changes,
  };
}

/** The tree over the first heads, as an invoice and the proof of one of them. */
function provenOf(index: number, count: number) {
  const tree = new MerkleTree();
  for (const [at, head] of HEADS.slice(0, count).entries()) {
    if (at === index) tree.mark();
    tree.add(headLeafHash(head));
  }
  const { root, path } = tree.end();
  const proof: InclusionProof = { call_id: `call ${index}`, leaf_index: index, path };
  const account_version = { from: FROM, to: FROM + count };
  return { proof, invoice: { account_id: 'a', account_version, calls_tree: { count, root } } };
}

async function isRefused(...of: Parameters<typeof verifyInclusion>): Promise<boolean> {
  return verifyInclusion(...of).then(
    () => false,
    (error: unknown) => error instanceof ReceiptVerificationError,
  );
}

test('every call of months of 1 to 20 calls is proven at its place, with its path alone', async () => {
  for (let count = 1; count <= HEADS.length; count += 1) {
    for (let index = 0; index < count; index += 1) {
      const { proof, invoice } = provenOf(index, count);
      const receipt = receiptOf(index);
      await verifyInclusion(receipt, proof, invoice);
      const [, ...rest] = proof.path;
      const longer = { ...proof, path: [...proof.path, invoice.calls_tree.root] };
      const other = { ...proof, path: ['00'.repeat(32), ...rest] };
      const shifted = { ...proof, leaf_index: (index + 1) % count };
      const wrong = count === 1 ? [longer] : [longer, other, shifted, { ...proof, path: rest }];
      for (const one of wrong) expect(await isRefused(receipt, one, invoice)).toBe(true);
    }
  }
});

test.each<[string, Partial<Receipt>, Partial<InclusionProof>]>([
  ['another head', { account_head: HEADS[0] }, {}],
  ['a head that is none', { account_head: 'x' }, {}],
  ['another account', { account_id: 'b' }, {}],
  ['another month', { account_version: FROM - 1 }, {}],
  ['another call than that of the proof', { call_id: 'another' }, {}],
  ['a place behind the tree', {}, { leaf_index: 5 }],
  ['a path of something else', {}, { path: ['x', 'y', 'z'] }],
])('a receipt with %s is refused', async (_what, changes, wrong) => {
  const { proof, invoice } = provenOf(3, 5);
  expect(await isRefused(receiptOf(3, changes), { ...proof, ...wrong }, invoice)).toBe(true);
});

test('an invoice without a tree proves nothing', async () => {
  const { proof, invoice } = provenOf(0, 1);
  expect(await isRefused(receiptOf(0), proof, { ...invoice, calls_tree: undefined })).toBe(true);
});

import { createReadStream } from 'node:fs';
import { ReceiptVerificationError, ReceiptVerifier, type ReceiptKeySet } from '#client/receipts.js';
import { loadEd25519 } from '#receipts/ed25519.js';
import { ReceiptCalls } from './receipt-calls.js';

/** The lines of a file that begin between two of its bytes; `to` null: up to its end. */
export interface Part {
  readonly file: string;
  readonly from: number;
  readonly to: number | null;
  readonly keys: ReceiptKeySet;
}

/** Receipts are counted from 0 on in each part. */
export interface PartReport {
  readonly verified: number;
  readonly failed: number;
  /** Of `ReceiptCalls`. */
  readonly calls: Uint8Array;
  readonly wrong: readonly { readonly place: number; readonly message: string }[];
}

/** Of what is wrong so much is kept. */
export const WRONG_MAX = 1_000;
const READ_BYTES = 1_000_000;
const NEWLINE = 10;

/** Verifies the receipts of a part, one a line, in the calling thread. Throws what reading does. */
export async function verifyPart({ keys, ...part }: Part): Promise<PartReport> {
  const { checks } = await loadEd25519();
  const verifier = new ReceiptVerifier(keys, async (x) => checks(x));
  const wrong: { place: number; message: string }[] = [];
  const calls = new ReceiptCalls();
  const { verified, failed } = await verifier.verifyAll(linesOf(part), (place, outcome) => {
    if (!(outcome instanceof ReceiptVerificationError)) {
      calls.add(place, outcome);
    } else if (wrong.length < WRONG_MAX) {
      wrong.push({ place, message: outcome.message });
    }
  });
  return { verified, failed, calls: calls.bytes(), wrong };
}

/** Those that are not empty. A receipt has nothing but ASCII. */
async function* linesOf({ file, from, to }: Pick<Part, 'file' | 'from' | 'to'>) {
  // The byte before says whether a line begins at the first one.
  let place = Math.max(0, from - 1);
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { start: place, highWaterMark: READ_BYTES })) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    let begin = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, begin)) {
      if (to !== null && place + begin >= to) return;
      const line = bytes.toString('latin1', begin, end).trim();
      if (place + begin >= from && line !== '') yield line;
      begin = end + 1;
    }
    rest = bytes.subarray(begin);
    place += begin;
  }
  const line = rest.toString('latin1').trim();
  if (place >= from && (to === null || place < to) && line !== '') yield line;
}

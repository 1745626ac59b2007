import { createHash } from 'node:crypto';
import type { Receipt } from '#client/receipts.js';

const HASH_BYTES = 16;
const CREDITS_AT = 2 * HASH_BYTES;
const PLACE_AT = CREDITS_AT + 8;
const RECORD_BYTES = PLACE_AT + 8;
const RECORDS_FIRST = 1_024;

/** Calls of receipts that hold, in little room: threads hand over those of a million receipts. */
export class ReceiptCalls {
  private records = Buffer.alloc(RECORDS_FIRST * RECORD_BYTES);
  private used = 0;

  /** `place`: of the receipt in its part. */
  add(place: number, receipt: Receipt): void {
    if (this.used + RECORD_BYTES > this.records.length) {
      this.records = Buffer.concat([this.records, Buffer.alloc(this.records.length)]);
    }
    const { records, used } = this;
    digest(`${receipt.account_id} ${receipt.call_id}`).copy(records, used, 0, HASH_BYTES);
    digest(JSON.stringify(receipt)).copy(records, used + HASH_BYTES, 0, HASH_BYTES);
    records.writeDoubleLE(receipt.credits_used, used + CREDITS_AT);
    records.writeDoubleLE(place, used + PLACE_AT);
    this.used += RECORD_BYTES;
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.records.subarray(0, this.used));
  }
}

/** Sums over calls, each counted once however many receipts it has. */
export class CallSums {
  private readonly contents = new Map<string, string>();
  credits = 0;

  get calls(): number {
    return this.contents.size;
  }

  /** Places of receipts that say something else of their call than another receipt. */
  add(bytes: Uint8Array): readonly number[] {
    const records = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const differing: number[] = [];
    for (let at = 0; at < records.length; at += RECORD_BYTES) {
      const call = records.toString('latin1', at, at + HASH_BYTES);
      const content = records.toString('latin1', at + HASH_BYTES, at + CREDITS_AT);
      const known = this.contents.get(call);
      if (known === undefined) {
        this.contents.set(call, content);
        this.credits += records.readDoubleLE(at + CREDITS_AT);
      } else if (known !== content) differing.push(records.readDoubleLE(at + PLACE_AT));
    }
    return differing;
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

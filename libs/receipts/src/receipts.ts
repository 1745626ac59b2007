import type { ChargedCall } from '#account/charging.js';
import type { CallPlaces, FoundCall } from '#projections/chain/call-places.js';
import type { ReceiptSigner } from './receipt-signer.js';

/** Receipts of calls, now and later. */
export class Receipts {
  constructor(
    private readonly signer: Pick<ReceiptSigner, 'sign'>,
    private readonly places: Pick<CallPlaces, 'find'>,
  ) {}

  /**
   * The receipt of a call that was decided a moment ago. The place of one that was decided earlier
   * is read from the log, so that its receipt has the same content. Undefined where nobody can
   * sign.
   */
  async of(accountId: string, charged: ChargedCall): Promise<string | undefined> {
    const { callId, place } = charged;
    if (place !== undefined) return this.signer.sign({ accountId, charged, place });
    const found = await this.places.find(accountId, callId);
    return found && this.signer.sign(found);
  }

  /** A call in the log. `accountId`: whose it must be; null: anybody's. */
  find(accountId: string | null, callId: string): Promise<FoundCall | undefined> {
    return this.places.find(accountId, callId);
  }

  /** The receipt of it; undefined where nobody can sign. */
  sign(call: FoundCall): string | undefined {
    return this.signer.sign(call);
  }
}

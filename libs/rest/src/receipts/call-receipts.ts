import type { Receipts } from '#receipts/receipts.js';
import { problem, ProblemException } from '#web/problem.js';
import { accountingUnavailable } from '#web/refusal-problem.js';
import type { CallReceipt } from './receipt.schemas.js';

/** Receipts of calls, whenever they were made. */
export class CallReceipts {
  constructor(private readonly receipts: Receipts) {}

  /** `accountId`: whose call it must be; null: anybody's. */
  async of(accountId: string | null, callId: string): Promise<CallReceipt> {
    const found = await this.receipts.find(accountId, callId);
    if (found === undefined) {
      const detail =
        accountId === null ? 'There is no such call.' : 'This account has no such call.';
      throw new ProblemException(problem('not-found', detail));
    }
    const receipt = this.receipts.sign(found);
    if (receipt !== undefined) return { receipt };
    throw new ProblemException(accountingUnavailable('Nobody can sign receipts right now.'));
  }
}

import { formatInstant } from '#calendar/instant.js';
import type { Clock } from '#calendar/clock.js';
import type { Change } from '#deciding/changes/change.js';
import { signingKey, type ReceiptKey } from '#receipts/receipt-key-events.js';
import type { ReceiptKeys } from '#receipts/receipt-keys.js';
import type { Outcome } from '../operation/operation.js';
import { pageBy } from '../operation/queries.js';
import type { PageQuery } from '#web/query.js';
import type { Table } from '#web/table-answer.js';
import type { ReceiptKeyView, RotateReceiptKey } from './receipt.schemas.js';

/** The keys that sign receipts, for operators. */
export class ReceiptKeyService {
  constructor(
    private readonly keys: ReceiptKeys,
    private readonly clock: Clock,
  ) {}

  /** Oldest first. */
  async list(query: PageQuery): Promise<Table<ReceiptKeyView>> {
    const page = pageBy(query);
    const keys = await this.keys.list();
    return page(keys.map((key) => this.view(key, keys)));
  }

  async rotate(change: Change, body: RotateReceiptKey): Promise<Outcome<ReceiptKeyView>> {
    const { view, replayed } = await this.keys.rotate(change, body.at_once);
    return { view: this.view(view, await this.keys.list()), replayed };
  }

  private view(key: ReceiptKey, all: readonly ReceiptKey[]): ReceiptKeyView {
    const { kid, publicKey, signsFrom } = key;
    const now = this.clock.now();
    const isSigning = signingKey(all, now)?.kid === kid;
    const retired = signsFrom > now ? 'coming' : 'retired';
    return {
      kid,
      public_key: publicKey,
      signs_from: formatInstant(signsFrom),
      status: isSigning ? 'signing' : retired,
    };
  }
}

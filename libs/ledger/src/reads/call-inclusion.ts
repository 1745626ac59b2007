import type pg from 'pg';
import type { Invoice } from '#billing/invoice.js';
import { Places } from '#web/places.js';
import { ReadsBusyError } from '#web/read-errors.js';
import { readBlocks, readLeafPath, type CallBlock } from '../chain/call-blocks.js';
import { findCall } from '../events/find-call.js';
import type { CallInclusion } from '../views/invoice-reads.js';

/** Invoices whose blocks are kept: of a million calls they are 245. */
const KEPT_MAX = 100;
/** Months that are read, or wait to be; whoever wants more is sent away. */
const READ_MAX = 8;

/**
 * Audit paths of calls in the trees of their months' invoices, from the log. The first path of an
 * invoice reads all calls of its month, one month at a time; later ones read a few thousand.
 */
export class CallInclusions {
  /** By number, the least recently used first. */
  private readonly kept = new Map<string, Promise<readonly CallBlock[]>>();
  private readonly places = new Places(1);
  private reading = 0;

  constructor(private readonly pool: pg.Pool) {}

  /**
   * Null: the invoice names no tree. Undefined: the call is none of its calls. Throws
   * ReadsBusyError where too many months are to be read.
   */
  async find(invoice: Invoice, callId: string): Promise<CallInclusion | null | undefined> {
    const { number, account_id: accountId, account_version: month, calls_tree: stated } = invoice;
    if (stated === undefined) return null;
    const call = await findCall(this.pool, accountId, callId);
    const version = call?.accountVersion ?? 0;
    if (version < month.from || version > month.to) return undefined;
    const blocks = await this.blocksOf(invoice);
    const leaf = await readLeafPath(this.pool, { accountId, ...month }, version, blocks);
    return (
      leaf && {
        invoice_number: number,
        call_id: callId,
        account_head: leaf.head,
        leaf_index: leaf.index,
        count: stated.count,
        path: leaf.path,
        root: stated.root,
      }
    );
  }

  private blocksOf(invoice: Invoice): Promise<readonly CallBlock[]> {
    const { number } = invoice;
    const found = this.kept.get(number);
    const blocks = found ?? this.read(invoice);
    if (found === undefined) blocks.catch(() => this.kept.delete(number));
    this.kept.delete(number);
    this.kept.set(number, blocks);
    const [oldest = number] = this.kept.keys();
    if (this.kept.size > KEPT_MAX) this.kept.delete(oldest);
    return blocks;
  }

  private async read(invoice: Invoice): Promise<readonly CallBlock[]> {
    const { number, account_id: accountId, account_version: month, calls_tree: stated } = invoice;
    if (this.reading === READ_MAX) throw new ReadsBusyError('Many months are being read.');
    this.reading += 1;
    try {
      const read = () => readBlocks(this.pool, { accountId, ...month });
      const { root, blocks } = await this.places.run(read);
      if (root === stated?.root) return blocks;
      throw new Error(`The calls of ${number} lead to ${root}, it names ${stated?.root}.`);
    } finally {
      this.reading -= 1;
    }
  }
}

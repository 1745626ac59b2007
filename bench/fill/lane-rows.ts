import type { LaneEnd, NewEvent, StoredEvent } from '#event-log/event-log.js';
import { FIRST_HEAD, hashBatch, hashEvent } from '#event-log/hash-chain.js';
import { accountFields, EventRows, sharedFields } from './event-rows.js';
import type { AccountFields, SharedFields } from './event-rows.js';
import { apiKeyHashOf, filledAccountId, suffixOf } from './filled-account.js';

export const BATCH_COPY = `copy batch
  (lane, last_position, events, hash, committed_at) from stdin with (freeze)`;

/** Rows of a lane that follow each other, as their COPY takes them. */
export interface RowsPart {
  readonly events: number;
  readonly eventRows: Uint8Array<ArrayBuffer>;
  readonly batchRows: string;
}

interface LaneAccount {
  readonly ordinal: number;
  readonly id: string;
  readonly suffix: string;
  readonly apiKeyHash: string;
  readonly fields: AccountFields;
  head: typeof FIRST_HEAD;
  row: AccountRow;
}

/** Values of an account's row in the ledger that no other account has. */
export interface AccountRow {
  readonly head: string;
}

/** So many events of a lane are one append, about as many as under load. */
const EVENTS_PER_APPEND = 16;
const EVENTS_PER_PART = 5_000;
const SUFFIX_DIGITS = 12;

/**
 * Writes one history for every account of a lane: the accounts take turns, each has ids and a chain
 * of hashes of its own, and all else is alike.
 */
export class LaneRows {
  end: LaneEnd;
  /** Everything but the calls. */
  readonly changes: StoredEvent[] = [];
  private readonly accounts: readonly LaneAccount[];
  private readonly eventRows: EventRows;
  private hashes: (typeof FIRST_HEAD)[] = [];
  private events = 0;
  private batchRows = '';

  constructor(
    private readonly lane: number,
    ordinals: readonly number[],
    /** Whether the rows of an account are written with its next event. */
    private readonly isWritten: (event: NewEvent) => boolean,
  ) {
    this.end = { lane, position: 0, head: FIRST_HEAD };
    this.eventRows = new EventRows(lane);
    this.accounts = ordinals.map((ordinal) => ({
      ordinal,
      id: filledAccountId(ordinal),
      suffix: suffixOf(ordinal),
      apiKeyHash: apiKeyHashOf(ordinal),
      fields: accountFields(filledAccountId(ordinal)),
      head: FIRST_HEAD,
      row: { head: FIRST_HEAD },
    }));
  }

  /** Rows of the accounts by ordinal. */
  get rows(): [ordinal: number, row: AccountRow][] {
    return this.accounts.map(({ ordinal, row }) => [ordinal, row]);
  }

  *parts(history: Iterable<NewEvent>): Generator<RowsPart> {
    let headBefore = FIRST_HEAD;
    let at = 0;
    for (const event of history) {
      ({ at } = event);
      const shared = sharedFields(event);
      const isWritten = this.isWritten(event);
      for (const account of this.accounts) {
        if (event.type === 'CallMade') this.add(event, account, shared);
        else this.change({ ...event, data: dataFor(account, event.data, headBefore) }, account);
        if (isWritten) account.row = { head: account.head };
        if (this.hashes.length === EVENTS_PER_APPEND) this.close(at);
      }
      headBefore = event.hash;
      if (this.events >= EVENTS_PER_PART) yield this.take();
    }
    if (this.hashes.length > 0) this.close(at);
    if (this.events > 0) yield this.take();
  }

  private change(event: NewEvent, account: LaneAccount): void {
    this.changes.push(this.add(event, account, sharedFields(event)));
  }

  private add(event: NewEvent, account: LaneAccount, shared: SharedFields): StoredEvent {
    const { accountVersion, type, at, data } = event;
    const position = this.end.position + this.hashes.length + 1;
    const callId = event.callId && event.callId.slice(0, -SUFFIX_DIGITS) + account.suffix;
    const own = { accountId: account.id, accountVersion, callId, type, at, data };
    account.head = hashEvent(account.head, own);
    this.hashes.push(account.head);
    this.eventRows.add(position, account.fields, shared);
    this.events += 1;
    return { lane: this.lane, position, ...own };
  }

  private close(at: number): void {
    const { lane, hashes } = this;
    const position = this.end.position + hashes.length;
    const head = hashBatch(this.end.head, hashes);
    const committedAt = new Date(at).toISOString();
    this.batchRows += `${lane}\t${position}\t${hashes.length}\t\\\\x${head}\t${committedAt}\n`;
    this.end = { lane, position, head };
    this.hashes = [];
  }

  private take(): RowsPart {
    const { events, batchRows } = this;
    this.events = 0;
    this.batchRows = '';
    return { events, eventRows: this.eventRows.take(), batchRows };
  }
}

/** The first account's data as another one's: its ids, its API key, its head before the event. */
function dataFor({ suffix, apiKeyHash, head }: LaneAccount, data: string, headBefore: string) {
  return data
    .replaceAll(suffixOf(0), suffix)
    .replaceAll(apiKeyHashOf(0), apiKeyHash)
    .replaceAll(headBefore, head);
}

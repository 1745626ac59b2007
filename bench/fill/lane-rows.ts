import type { LaneEnd, NewEvent, StoredEvent } from '#event-log/event-log.js';
import { FIRST_HEAD, hashBatch, hashEvent } from '#event-log/hash-chain.js';
import { apiKeyHashOf, filledAccountId, suffixOf } from './filled-account.js';

// Rows as PostgreSQL's COPY takes them in its text format.

export const EVENT_COPY = `copy event
  (lane, position, account_id, account_version, call_id, type, at, data) from stdin (freeze)`;
export const BATCH_COPY = `copy batch
  (lane, last_position, events, hash, committed_at) from stdin (freeze)`;

/** Rows of a lane that follow each other. */
export interface RowsPart {
  readonly events: number;
  readonly eventRows: Uint8Array;
  readonly batchRows: Uint8Array;
}

interface LaneAccount {
  readonly ordinal: number;
  readonly id: string;
  readonly suffix: string;
  readonly apiKeyHash: string;
  head: typeof FIRST_HEAD;
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
  private hashes: (typeof FIRST_HEAD)[] = [];
  private events = 0;
  private eventText: string[] = [];
  private batchText = '';

  constructor(
    private readonly lane: number,
    ordinals: readonly number[],
  ) {
    this.end = { lane, position: 0, head: FIRST_HEAD };
    this.accounts = ordinals.map((ordinal) => ({
      ordinal,
      id: filledAccountId(ordinal),
      suffix: suffixOf(ordinal),
      apiKeyHash: apiKeyHashOf(ordinal),
      head: FIRST_HEAD,
    }));
  }

  /** Heads of the accounts, by ordinal. */
  get heads(): [ordinal: number, head: string][] {
    return this.accounts.map(({ ordinal, head }) => [ordinal, head]);
  }

  *parts(history: Iterable<NewEvent>): Generator<RowsPart> {
    let headBefore = FIRST_HEAD;
    let at = '';
    for (const event of history) {
      at = new Date(event.at).toISOString();
      const isAlike = event.type === 'CallMade';
      const row = rowEnd(event, at);
      for (const account of this.accounts) {
        const data = isAlike ? event.data : dataFor(account, event.data, headBefore);
        this.add(event, account, data, isAlike ? row : rowEnd({ ...event, data }, at));
        if (this.hashes.length === EVENTS_PER_APPEND) this.close(at);
      }
      headBefore = event.hash;
      if (this.events >= EVENTS_PER_PART) yield this.take();
    }
    if (this.hashes.length > 0) this.close(at);
    if (this.events > 0) yield this.take();
  }

  private add(event: NewEvent, account: LaneAccount, data: string, end: string): void {
    const { accountVersion, type, at } = event;
    const position = this.end.position + this.hashes.length + 1;
    const callId = event.callId && event.callId.slice(0, -SUFFIX_DIGITS) + account.suffix;
    const own = { accountId: account.id, accountVersion, callId, type, at, data };
    account.head = hashEvent(account.head, own);
    if (type !== 'CallMade') this.changes.push({ lane: this.lane, position, ...own });
    this.hashes.push(account.head);
    this.events += 1;
    const ids = `${this.lane}\t${position}\t${account.id}\t${accountVersion}\t${callId ?? '\\N'}`;
    this.eventText.push(ids + end);
  }

  private close(at: string): void {
    const { lane, hashes } = this;
    const position = this.end.position + hashes.length;
    const head = hashBatch(this.end.head, hashes);
    this.batchText += `${lane}\t${position}\t${hashes.length}\t\\\\x${head}\t${at}\n`;
    this.end = { lane, position, head };
    this.hashes = [];
  }

  private take(): RowsPart {
    const part = {
      events: this.events,
      eventRows: Buffer.from(this.eventText.join('')),
      batchRows: Buffer.from(this.batchText),
    };
    this.events = 0;
    this.eventText = [];
    this.batchText = '';
    return part;
  }
}

/** What stands in the row after the ids. */
function rowEnd({ type, data }: Pick<NewEvent, 'type' | 'data'>, at: string): string {
  return `\t${type}\t${at}\t${data.includes('\\') ? data.replaceAll('\\', '\\\\') : data}\n`;
}

/** The first account's data as another one's: its ids, its API key, its head before the event. */
function dataFor({ suffix, apiKeyHash, head }: LaneAccount, data: string, headBefore: string) {
  return data
    .replaceAll(suffixOf(0), suffix)
    .replaceAll(apiKeyHashOf(0), apiKeyHash)
    .replaceAll(headBefore, head);
}

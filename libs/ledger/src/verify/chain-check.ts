import { laneOf, type LaneEnd, type StoredEvent } from '#event-log/event-log.js';
import { FIRST_HEAD, hashBatch, hashEvent } from '#event-log/hash-chain.js';
import type { LaneFindings } from './findings.js';
import type { LaneEntry } from './lane-pages.js';

interface AccountEnd {
  version: number;
  head: Buffer;
}

/** Follows both chains through a lane. After damage it goes on from what is stored. */
export class ChainCheck {
  position = 0;
  private head: Buffer = FIRST_HEAD;
  private open: Buffer[] = [];
  private batches = 0;
  private readonly accounts = new Map<string, AccountEnd>();

  constructor(private readonly findings: LaneFindings) {}

  add({ stored, batch }: LaneEntry): void {
    const expected = this.position + 1;
    if (stored.position !== expected) {
      this.findings.event('positions', expected, 'an event', `the next is ${stored.position}`);
    }
    this.position = stored.position;
    this.open.push(this.hash(stored));
    if (batch !== null) this.close(stored.position, batch);
  }

  /** `batches`: how many rows of batches the lane has. */
  end(end: LaneEnd, batches: number): void {
    const key = `lane ${end.lane}`;
    const row = { table: 'lane', key };
    if (end.position !== this.position) {
      const found = { position: end.position };
      this.findings.add('positions', { ...row, expected: { position: this.position }, found });
    }
    if (!end.head.equals(this.head)) {
      const [expected, found] = [this.head, end.head].map((head) => head.toString('hex'));
      this.findings.add('chains', { ...row, expected: { head: expected }, found: { head: found } });
    }
    if (this.open.length > 0) {
      const expected = `a batch that ends at ${this.position}`;
      this.findings.add('batches', { table: 'batch', key, expected, found: null });
    }
    if (batches !== this.batches) {
      const expected = `${this.batches} batches that end at an event`;
      this.findings.add('batches', { table: 'batch', key, expected, found: batches });
    }
  }

  private hash(stored: StoredEvent): Buffer {
    const { accountId, accountVersion, position, lane } = stored;
    const before = this.accounts.get(accountId) ?? { version: 0, head: FIRST_HEAD };
    if (accountVersion !== before.version + 1) {
      const expected = `account ${accountId} at version ${before.version + 1}`;
      this.findings.event('versions', position, expected, `version ${accountVersion}`);
    }
    if (laneOf(accountId) !== lane) {
      this.findings.event('events', position, `an account of lane ${lane}`, accountId);
    }
    const head = hashEvent(before.head, stored);
    this.accounts.set(accountId, { version: accountVersion, head });
    return head;
  }

  private close(position: number, batch: { readonly events: number; readonly hash: Buffer }): void {
    const key = `lane ${this.findings.lane}, last position ${position}`;
    const row = { table: 'batch', key };
    this.batches += 1;
    if (batch.events !== this.open.length) {
      const [expected, found] = [this.open.length, batch.events].map((events) => ({ events }));
      this.findings.add('batches', { ...row, expected, found });
    }
    const head = hashBatch(this.head, this.open);
    if (!head.equals(batch.hash)) {
      const [expected, found] = [head, batch.hash].map((hash) => ({ hash: hash.toString('hex') }));
      this.findings.add('chains', { ...row, expected, found });
    }
    this.head = batch.hash;
    this.open = [];
  }
}

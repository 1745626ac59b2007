import type { AccountHead } from '#event-log/verify-lane.js';
import { FIRST_HEAD, hashBatch, hashEvent } from '#event-log/hash-chain.js';
import { laneOf } from '#event-log/event-log.js';
import { DamageError } from './backup-fault.js';
import { parseLaneLine, type EventLine } from './lane-lines.js';
import type { LaneFile } from './manifest.js';

/**
 * Recomputes the chains of a lane from its lines and stops at the first one that does not fit.
 * Holds one head for each account of the lane.
 */
export class LaneCheck {
  private position = 0;
  private head = FIRST_HEAD;
  private batches = 0;
  /** Hashes of the events that no batch has closed yet. */
  private open: Buffer[] = [];
  private readonly accounts = new Map<string, AccountHead>();

  constructor(private readonly lane: LaneFile) {}

  /** Takes the next line. Throws DamageError. */
  line(text: string): EventLine {
    this.position += 1;
    const event = parseLaneLine(text);
    if (typeof event === 'string') throw this.damage(event);
    if (event.position !== this.position) {
      throw this.damage(`holds position ${event.position} instead of ${this.position}`);
    }
    this.open.push(this.hashOf(event));
    if (event.batch !== null) this.close(event.batch);
    return event;
  }

  /** To be called after the last line. Throws DamageError. */
  end(): void {
    const { position, head, batches } = this.lane;
    if (this.position !== position) {
      throw this.damage(`is the last line, but the lane stands at ${position}`);
    }
    if (this.open.length > 0) throw this.damage('is the last line, but its batch is not closed');
    if (this.head.toString('hex') !== head) throw this.damage("the lane's head is another one");
    if (this.batches !== batches) {
      throw this.damage(`the lane has ${this.batches} batches instead of ${batches}`);
    }
  }

  private close({ events, hash }: NonNullable<EventLine['batch']>): void {
    const first = this.position - this.open.length + 1;
    if (events !== this.open.length) {
      throw this.damage(`closes a batch of ${events} events, but ${this.open.length} are open`);
    }
    this.head = hashBatch(this.head, this.open);
    if (this.head.toString('hex') !== hash) {
      throw this.damage(`the events from ${first} to ${this.position} were changed`, first);
    }
    this.open = [];
    this.batches += 1;
  }

  private hashOf(event: EventLine): Buffer {
    const { accountId, accountVersion } = event;
    const before = this.accounts.get(accountId);
    const version = (before?.version ?? 0) + 1;
    if (accountVersion !== version) {
      throw this.damage(`holds version ${accountVersion} of its account instead of ${version}`);
    }
    if (before === undefined && laneOf(accountId) !== this.lane.lane) {
      throw this.damage(`account ${accountId} does not belong to lane ${this.lane.lane}`);
    }
    const hashed = { ...event, at: Date.parse(event.at) };
    const head = hashEvent(before?.head ?? FIRST_HEAD, hashed);
    this.accounts.set(accountId, { version, head });
    return head;
  }

  private damage(reason: string, line = this.position): DamageError {
    return new DamageError({ file: this.lane.file, line: Math.max(line, 1), reason });
  }
}

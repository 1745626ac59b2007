import { randomUUID } from 'node:crypto';
import { laneOf, type NewEvent } from '#event-log/event-log.js';
import { FIRST_HEAD, hashEvent } from '#event-log/hash-chain.js';

/** An account id of the lane asked for, 1 to 64. */
export function accountInLane(lane: number): string {
  const tail = (lane - 1).toString(16).padStart(4, '0');
  return `${randomUUID().slice(0, -4)}${tail}`;
}

/** Makes the events of one account, in order, each with its version and its place in the chain. */
export class TestAccount {
  version = 0;
  head = FIRST_HEAD;

  constructor(readonly id: string) {}

  static inLane(lane: number): TestAccount {
    return new TestAccount(accountInLane(lane));
  }

  get lane(): number {
    return laneOf(this.id);
  }

  /** The next event; later ones build on it, so it has to be appended. */
  next(columns: Partial<Pick<NewEvent, 'callId' | 'type' | 'at' | 'data'>> = {}): NewEvent {
    const event = this.preview(columns);
    this.version = event.accountVersion;
    this.head = event.hash;
    return event;
  }

  /** The event that `next` would return, without going on. */
  preview(columns: Partial<Omit<NewEvent, 'hash' | 'accountId'>> = {}): NewEvent {
    const event = {
      accountId: this.id,
      accountVersion: this.version + 1,
      callId: randomUUID() as string | null,
      type: 'CallMade',
      at: 1_793_491_200_000 + this.version,
      data: JSON.stringify({ n: this.version + 1 }),
      ...columns,
    };
    return { ...event, hash: hashEvent(this.head, event) };
  }

  /** The next `count` events. */
  many(count: number): NewEvent[] {
    return Array.from({ length: count }, () => this.next());
  }
}

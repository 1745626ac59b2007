import type { AccountEvent } from '#account/events.js';
import type { Calendar } from '#calendar/calendar.js';
import { SYSTEM_LANE, type StoredEvent } from '#event-log/event-log.js';
import { isSameEvent } from '#event-log/hash-chain.js';
import { MILESTONE_EVERY } from '#event-log/milestones.js';
import { UsageSums } from './usage-sums.js';

/** So many calls of an account are at most summed by whoever reads. The last is a milestone. */
const SUMMED_EVERY = 32 * MILESTONE_EVERY;
/** Sums in memory; each takes about 300 bytes. */
const SUMS_MAX = 100_000;

/** Sums of the calls of an account after a version, up to an event. */
interface Span {
  readonly after: number;
  readonly last: StoredEvent;
  readonly sums: UsageSums;
}

/** An account on its way from one event with which its usage is written to the next. */
interface Walk {
  after: number;
  sums: UsageSums;
  /** The last event, and the head of the account's chain after it. */
  version: number;
  head: string;
  /** Of the events up to the last one with which usage is written. */
  finished: Span | undefined;
}

/**
 * Sums of the calls that one projection has read, for the projection that writes them: so that no
 * call is read again. They are what the log holds or are not there: a walk goes on only where the
 * account's chain does, and its reader compares the last event. Whoever finds none reads the log.
 */
export class ReadSums {
  private readonly walks = new Map<string, Walk>();
  private size = 0;

  /** `every`: after so many events of an account its usage is written. */
  constructor(
    private readonly calendar: Calendar,
    readonly every = SUMMED_EVERY,
  ) {}

  /**
   * Whether the usage of an account is written with this event: a window's when it has ended, so
   * that little is left when a month is closed, whose invoice reads it.
   */
  isLast({ lane, type, accountVersion }: StoredEvent): boolean {
    if (lane === SYSTEM_LANE) return false;
    return type === 'WindowClosed' || type === 'MonthClosed' || accountVersion % this.every === 0;
  }

  /** Takes an event that was read, with the heads of its account's chain before and after it. */
  add(stored: StoredEvent, event: AccountEvent, before: string, after: string): void {
    const { accountId, accountVersion, at } = stored;
    let walk = this.walks.get(accountId);
    // A span that was read to its end may be read again from where the account's row stands.
    if (walk !== undefined && accountVersion < walk.version) return;
    if (accountVersion === walk?.version && after === walk.head) return;
    if (accountVersion - 1 !== walk?.version || before !== walk.head) {
      this.forget(accountId);
      walk = {
        after: accountVersion - 1,
        sums: new UsageSums(),
        version: 0,
        head: '',
        finished: undefined,
      };
      this.walks.set(accountId, walk);
    }
    walk.version = accountVersion;
    walk.head = after;
    if (event.type === 'CallMade') {
      const { size } = walk.sums;
      walk.sums.add({ accountId, at, call: event.data }, this.calendar);
      this.size += walk.sums.size - size;
    }
    if (this.isLast(stored)) this.finish(walk, stored);
    if (this.size > SUMS_MAX) this.shrink();
  }

  /** Sums of an account's calls after a version up to this event, if they were read. */
  of(after: number, last: StoredEvent): UsageSums | undefined {
    const span = this.walks.get(last.accountId)?.finished;
    if (span === undefined || span.after !== after || !isSameEvent(span.last, last))
      return undefined;
    return span.sums;
  }

  private finish(walk: Walk, last: StoredEvent): void {
    this.size -= walk.finished?.sums.size ?? 0;
    walk.finished = { after: walk.after, last: standingAlone(last), sums: walk.sums };
    walk.after = last.accountVersion;
    walk.sums = new UsageSums();
    // The account that has finished nothing for the longest time is the first to go.
    this.walks.delete(last.accountId);
    this.walks.set(last.accountId, walk);
  }

  private shrink(): void {
    for (const oldest of this.walks.keys()) {
      if (this.size <= SUMS_MAX) return;
      this.forget(oldest);
    }
  }

  private forget(accountId: string): void {
    const walk = this.walks.get(accountId);
    if (walk === undefined) return;
    this.size -= walk.sums.size + (walk.finished?.sums.size ?? 0);
    this.walks.delete(accountId);
  }
}

/** An event whose text keeps no longer one in memory that it was a part of. */
function standingAlone(event: StoredEvent): StoredEvent {
  return { ...event, callId: copied(event.callId), data: copied(event.data) };
}

function copied<Text extends string | null>(text: Text): Text {
  return (text === null ? null : Buffer.from(text).toString()) as Text;
}

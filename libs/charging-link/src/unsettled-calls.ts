import { unsettledName, type Answer, type UnsettledCall } from './messages.js';
import type { Route } from './route.js';
import type { UnsettledJournal } from './unsettled-journal.js';

export interface UnsettledParts {
  /** A process that can be asked about the account, if there is one. */
  readonly route: Route;
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
  readonly retryMs: number;
  readonly callsMax: number;
  /** Where they outlive this process; without it they end with it. */
  readonly journal?: UnsettledJournal | undefined;
}

interface Entry {
  readonly call: UnsettledCall;
  /** Ms since 1970; before that an attempt may still be decided, or its answer may still arrive. */
  dueAt: number;
  asked: boolean;
  /** Whether the journal holds it, so that its absence there says that it is settled. */
  kept: boolean;
}

/** How many are handed over at a time, so that settling never crowds out charging. */
const HANDED_OVER_MAX = 256;

/**
 * Calls whose caller was left without an answer. Each is handed to an accounting process, again and
 * again, until one has taken it: a charge that stands is then given back.
 */
export class UnsettledCalls {
  private readonly entries = new Map<string, Entry>();
  private timer: NodeJS.Timeout | undefined;
  private handedOver = 0;
  private onEmpty: () => void = () => undefined;

  constructor(private readonly parts: UnsettledParts) {}

  get size(): number {
    return this.entries.size;
  }

  /**
   * Resolves to whether the journal holds it, once that is known. Beyond `callsMax` the oldest is
   * let go, and named in the log for somebody to settle by hand.
   */
  async add(call: UnsettledCall, dueAt: number): Promise<boolean> {
    const { callsMax, onFault } = this.parts;
    const [oldest] = this.entries;
    if (this.entries.size >= callsMax && oldest !== undefined) {
      const [name, { call: lost }] = oldest;
      this.entries.delete(name);
      onFault(
        new Error(`Too many calls are unsettled: call ${lost.callId} has to be settled by hand.`),
      );
    }
    const entry: Entry = { call, dueAt, asked: false, kept: false };
    const name = unsettledName(call);
    this.entries.set(name, entry);
    this.handOver();
    const kept = (await this.parts.journal?.keep(call)) ?? false;
    entry.kept = kept;
    // Settled while it was written down.
    if (!this.entries.has(name)) await this.parts.journal?.drop(call);
    return kept;
  }

  /** Takes up what an earlier process has left. */
  async recover(): Promise<void> {
    for (const call of (await this.parts.journal?.read()) ?? []) {
      if (this.entries.has(unsettledName(call))) continue;
      const dueAt = call.notBefore ?? 0;
      this.entries.set(unsettledName(call), { call, dueAt, asked: false, kept: true });
    }
    this.handOver();
  }

  /** The call is settled, or the request that was left has its answer after all. */
  forget(call: UnsettledCall): void {
    if (this.entries.delete(unsettledName(call))) void this.parts.journal?.drop(call);
  }

  private isHeld(call: UnsettledCall): boolean {
    return this.parts.journal?.holds(call) ?? false;
  }

  /** Hands over what is due; called by itself now and then, and when a process becomes ready. */
  handOver(): void {
    clearTimeout(this.timer);
    const now = this.parts.now();
    for (const entry of this.entries.values()) {
      if (this.handedOver >= HANDED_OVER_MAX) break;
      if (entry.asked || entry.dueAt > now) continue;
      // Another process that shares the journal has settled it.
      if (entry.kept && !this.isHeld(entry.call)) this.forget(entry.call);
      else this.ask(entry);
    }
    if (this.entries.size === 0) return;
    this.timer = setTimeout(() => this.handOver(), this.parts.retryMs);
    this.timer.unref();
  }

  /**
   * Hands over what may be settled by now, due or not; resolves when all is taken, or after
   * `mostMs`. What has to wait stays in the journal.
   */
  async flush(mostMs: number): Promise<void> {
    for (const entry of this.entries.values()) entry.dueAt = entry.call.notBefore ?? 0;
    this.handOver();
    const now = this.parts.now();
    if ([...this.entries.values()].every(({ dueAt }) => dueAt > now)) return;
    await new Promise<void>((resolve) => {
      const deadline = setTimeout(resolve, mostMs);
      this.onEmpty = () => {
        clearTimeout(deadline);
        resolve();
      };
    });
  }

  /** Names what nobody has taken and no journal holds, for somebody to settle by hand. */
  stop(): void {
    clearTimeout(this.timer);
    for (const { call, kept } of this.entries.values()) {
      if (kept) continue;
      this.parts.onFault(
        new Error(`Call ${call.callId} was not settled before this process stopped.`),
      );
    }
    this.entries.clear();
  }

  private ask(entry: Entry): void {
    const { call } = entry;
    const link = this.parts.route(call.accountId);
    if (link === undefined) return;
    entry.asked = true;
    this.handedOver += 1;
    const over = (): void => {
      this.handedOver -= 1;
      entry.asked = false;
    };
    const ticket = link.ask(
      { kind: 'settle', call },
      {
        onAnswer: (answer: Answer) => {
          over();
          if (answer.kind === 'settled') this.forget(entry.call);
          if (this.entries.size === 0) this.onEmpty();
        },
        onLost: over,
        // It can be done twice, so another process is asked at once.
        onUnable: () => {
          ticket.cancel();
          over();
        },
      },
    );
  }
}

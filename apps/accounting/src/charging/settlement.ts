import type { CallMade } from '#account/events.js';
import type { Clock } from '#calendar/clock.js';
import type { UnsettledCall } from '#charging/messages.js';
import type { UnsettledJournal } from '#charging/unsettled-journal.js';
import { laneOf, type EventLog, type StoredEvent } from '#event-log/event-log.js';
import { adjustmentIdOf } from '../accounts/command-id.js';
import type { Accounting } from './accounting.js';

const RETRY_MS = 1_000;
const NOT_AFTER_MS = 10_000;
/** A statement that was under way when its connection went away has ended by then, either way. */
const LATE_COMMIT_MS = 30_000;
const REASON = 'The fate of the charge was unknown and its answer was never sent.';

interface Entry {
  readonly call: UnsettledCall;
  /** Whether the journal holds it, so that its absence there says that another has settled it. */
  readonly kept: Promise<boolean>;
  readonly since: number;
  readonly settled: Promise<void>;
  readonly resolve: () => void;
}

/**
 * Calls whose caller was told that the outcome is unknown. Those that turn out to be charged are
 * given back, unless a retry under their id fetched the answer first.
 */
export class Settlement {
  private readonly entries = new Map<string, Entry>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: EventLog,
    private readonly accounting: Pick<Accounting, 'submit'>,
    private readonly clock: Clock,
    private readonly onFault: (error: unknown) => void,
    private readonly retryMs = RETRY_MS,
    /** Where they outlive this process; without it they end with it. */
    private readonly journal?: UnsettledJournal,
  ) {}

  /** Takes up what an earlier process has left. */
  async recover(): Promise<void> {
    for (const call of (await this.journal?.read()) ?? []) {
      void this.add(call, Promise.resolve(true));
    }
  }

  /** Resolves once a call will be settled, whatever becomes of this process. */
  async kept(callId: string): Promise<void> {
    await this.entries.get(callId)?.kept;
  }

  /** Resolves once the call is given back, or surely was never charged, or was delivered. */
  settle(call: UnsettledCall): Promise<void> {
    const known = this.entries.get(call.callId);
    return known?.settled ?? this.add(call, this.journal?.keep(call) ?? Promise.resolve(false));
  }

  private add(call: UnsettledCall, kept: Promise<boolean>): Promise<void> {
    let resolve: () => void = () => undefined;
    const settled = new Promise<void>((done) => (resolve = done));
    this.entries.set(call.callId, { call, kept, since: this.clock.now(), settled, resolve });
    this.schedule();
    return settled;
  }

  /** Whether this process is to settle the call. */
  has(callId: string): boolean {
    return this.entries.has(callId);
  }

  /**
   * A request that waits until `notAfter` is given the answer: the charge stands, unless it is the very
   * request that was given up. Another process may know the call as unsettled.
   */
  async delivered(callId: string, notAfter: number): Promise<void> {
    const entry = this.entries.get(callId);
    const call = entry?.call ?? (await this.journal?.find(callId));
    if (call === undefined || notAfter <= call.notAfter) return;
    if (entry === undefined) await this.journal?.drop(callId);
    else this.forget(callId);
  }

  private forget(callId: string): void {
    const entry = this.entries.get(callId);
    if (entry === undefined) return;
    entry.resolve();
    this.entries.delete(callId);
    void entry.kept.then(() => this.journal?.drop(callId));
  }

  /** Calls that are not settled yet. */
  get size(): number {
    return this.entries.size;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.entries.clear();
  }

  private schedule(): void {
    // What is added all the time must not put off what waits already.
    if (this.entries.size === 0 || this.timer !== undefined) return;
    this.timer = setTimeout(() => void this.settleAll(), this.retryMs);
    this.timer.unref();
  }

  private async settleAll(): Promise<void> {
    for (const { call, since } of this.entries.values()) {
      try {
        if (await this.isSettledElsewhere(call.callId)) {
          this.forget(call.callId);
          continue;
        }
        const found = await this.giveBack(call);
        if (found || this.clock.now() - since > LATE_COMMIT_MS) this.forget(call.callId);
      } catch (error) {
        this.onFault(error);
      }
    }
    this.timer = undefined;
    this.schedule();
  }

  private async isSettledElsewhere(callId: string): Promise<boolean> {
    const kept = await this.entries.get(callId)?.kept;
    return kept === true && this.journal?.holds(callId) === false;
  }

  /** In real time: the event's own moment may be a test clock's. */
  private async committedAt({ lane, position }: StoredEvent): Promise<number> {
    const [batch] = await this.log.batches(lane, position - 1, 1);
    if (batch === undefined) throw new Error(`Position ${position} of lane ${lane} has no batch.`);
    return batch.committedAt;
  }

  /** True when the call stood in the log: it is given back now, or was another request's. */
  private async giveBack(call: UnsettledCall): Promise<boolean> {
    const { accountId, callId, sentAt, mayHaveExisted } = call;
    const [stored] = await this.log.findCalls([{ lane: laneOf(accountId), callId }]);
    if (stored === undefined) return false;
    // An earlier request under the same idempotency key had its own answer, and it was sent.
    if (mayHaveExisted && (await this.committedAt(stored)) < sentAt) return true;
    if (!this.has(callId) || (await this.isSettledElsewhere(callId))) return true;
    const { cost } = JSON.parse(stored.data) as CallMade;
    const charged = cost[0] + cost[1];
    const adjustmentId = adjustmentIdOf(callId);
    await this.accounting.submit({
      accountId,
      callId: adjustmentId,
      mayExist: true,
      notAfter: this.clock.now() + NOT_AFTER_MS,
      // It may wait behind a retry that fetches the answer.
      wanted: () => this.has(callId),
      command: {
        command: 'adjust-credits',
        origin: { by: 'system', request: callId, input: adjustmentId, reason: REASON },
        credits: charged,
        call: { callId, charged },
        grantId: adjustmentId,
      },
    });
    return true;
  }
}

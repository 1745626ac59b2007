import type { CallMade } from '#account/calls.js';
import type { Clock } from '#calendar/clock.js';
import { unsettledName, type UnsettledCall } from '#charging-link/messages.js';
import type { UnsettledJournal } from '#charging-link/unsettled-journal.js';
import { laneOf, LogUnavailableError, type EventLog } from '#event-log/event-log.js';
import { adjustmentIdOf, replayIdOf } from './command-id.js';
import type { Decider } from './submission.js';

const RETRY_MS = 1_000;
const NOT_AFTER_MS = 10_000;
/**
 * A statement that was under way when its connection went away has ended, either way, once the log
 * has answered for so long: a server that was stopped runs it when it goes on.
 */
const LATE_COMMIT_MS = 30_000;
const REASON = 'The fate of the charge was unknown and its answer was never sent.';

interface Entry {
  readonly call: UnsettledCall;
  /** Whether the journal holds it, so that its absence there says that another has settled it. */
  readonly kept: Promise<boolean>;
  readonly since: number;
  /** Since when every look at the log was answered, and did not find it. */
  missedSince: number | null;
  readonly settled: Promise<void>;
  readonly resolve: () => void;
}

/**
 * Settles calls whose caller got no known outcome. Those that turn out to be charged are refunded,
 * unless another request under their idempotency key was answered: it made the call, or the log
 * says that the call was replayed to it.
 */
export class Settlement {
  private readonly entries = new Map<string, Entry>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: EventLog,
    private readonly accounting: Decider,
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

  /** Begins to settle a call; resolves to true once it will be, even if this process dies. */
  async kept(call: UnsettledCall): Promise<boolean> {
    void this.settle(call);
    return (await this.entries.get(unsettledName(call))?.kept) ?? false;
  }

  /** Resolves once the call is given back, or surely was never charged, or was delivered. */
  settle(call: UnsettledCall): Promise<void> {
    const known = this.entries.get(unsettledName(call));
    return known?.settled ?? this.add(call, this.journal?.keep(call) ?? Promise.resolve(false));
  }

  private add(call: UnsettledCall, kept: Promise<boolean>): Promise<void> {
    let resolve: () => void = () => undefined;
    const settled = new Promise<void>((done) => (resolve = done));
    this.entries.set(unsettledName(call), {
      call,
      kept,
      since: Math.max(this.clock.now(), call.notBefore ?? 0),
      missedSince: null,
      settled,
      resolve,
    });
    this.schedule();
    return settled;
  }

  private forget(call: UnsettledCall): void {
    const name = unsettledName(call);
    const entry = this.entries.get(name);
    if (entry === undefined) return;
    entry.resolve();
    this.entries.delete(name);
    void entry.kept.then(() => this.journal?.drop(call));
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
    // Each call of a lane that does not answer would keep all others waiting.
    const away = new Set<number>();
    for (const entry of this.entries.values()) {
      const { call } = entry;
      // Until then a charge may still be decided, or a retry be given its answer.
      if (this.clock.now() < entry.since) continue;
      const lane = laneOf(call.accountId);
      if (away.has(lane)) {
        entry.missedSince = null;
        continue;
      }
      try {
        if (await this.isSettledElsewhere(call)) {
          this.forget(call);
          continue;
        }
        const found = await this.giveBack(call);
        const now = this.clock.now();
        entry.missedSince ??= now;
        if (found || now - entry.missedSince > LATE_COMMIT_MS) this.forget(call);
      } catch (error) {
        entry.missedSince = null;
        if (error instanceof LogUnavailableError) away.add(lane);
        this.onFault(error);
      }
    }
    this.timer = undefined;
    this.schedule();
  }

  private async isSettledElsewhere(call: UnsettledCall): Promise<boolean> {
    const kept = await this.entries.get(unsettledName(call))?.kept;
    return kept === true && this.journal?.holds(call) === false;
  }

  /** True when the call stood in the log: it is given back now, or was another request's. */
  private async giveBack({ accountId, callId, requestId }: UnsettledCall): Promise<boolean> {
    const [stored] = await this.log.findCalls([{ lane: laneOf(accountId), callId }]);
    if (stored === undefined) return false;
    const { cost, request } = JSON.parse(stored.data) as CallMade;
    if (request !== requestId) return true;
    const charged = cost[0] + cost[1];
    const adjustmentId = adjustmentIdOf(callId);
    await this.accounting.submit({
      accountId,
      callId: adjustmentId,
      isRetry: true,
      notAfter: this.clock.now() + NOT_AFTER_MS,
      skipIfLogged: replayIdOf(callId),
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

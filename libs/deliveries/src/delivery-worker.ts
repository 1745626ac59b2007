import { isTransient } from '#database/errors.js';
import { LogUnavailableError } from '#event-log/event-log.js';
import { Alarm, growingWaitMs } from '#event-log/alarm.js';
import { WorkerLoop } from '#event-log/worker-loop.js';
import type { DeliveryCounters } from './delivery-counters.js';
import { attemptId } from './delivery-id.js';
import type { DeliveryQueue, Room } from './delivery-queue.js';
import type { DeliverySender } from './delivery-sender.js';
import type { Delivery, Outcome, DeliveryAttempt } from './delivery.js';
import type { FanOut } from './fan-out.js';
import { retryDelayMs } from './retry-schedule.js';

export interface WorkerParts {
  readonly fanOut: Pick<FanOut, 'run'>;
  readonly queue: Pick<DeliveryQueue, 'claim' | 'record'>;
  readonly sender: Pick<DeliverySender, 'attempt'>;
  readonly counters: DeliveryCounters;
  readonly onFault: (error: unknown) => void;
  /** How long to wait when there is nothing to do, 250 ms by default. */
  readonly pollMs?: number;
}

/** Sockets at once, over all receivers. */
const AT_ONCE_MAX = 128;
/** To one receiver; to one that failed last, a single one. */
const AT_ONCE_EACH = 4;
const POLL_MS = 250;
const RETRY_FIRST_MS = 100;
const RETRY_MOST_MS = 5_000;
const RECORDS_MAX = 5;

/**
 * Plans and makes deliveries until it is stopped. Any number of processes run one: a delivery is
 * claimed for one attempt, and one whose claimer died is claimed again when that has run out.
 */
export class DeliveryWorker {
  private readonly loop: WorkerLoop;
  private readonly cut = new AbortController();
  private readonly underWay = new Set<Promise<void>>();
  private readonly busy = new Map<string, number>();
  private readonly failing = new Set<string>();

  constructor(private readonly parts: WorkerParts) {
    this.loop = new WorkerLoop({
      turn: () => this.turn(),
      onFault: parts.onFault,
      pollMs: parts.pollMs ?? POLL_MS,
      retryFirstMs: RETRY_FIRST_MS,
      retryMostMs: RETRY_MOST_MS,
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Begins nothing new, lets attempts end within `graceMs`, cuts the others short. */
  async stop(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.cut.abort(), graceMs);
    await this.loop.stop();
    await Promise.all(this.underWay);
    clearTimeout(timer);
  }

  /** Plans what is new and begins what is due; answers how much that was. */
  private async turn(): Promise<number> {
    const planned = await this.parts.fanOut.run();
    if (this.loop.isStopping) return planned;
    const claimed = await this.parts.queue.claim(this.room());
    for (const delivery of claimed) this.begin(delivery);
    return planned + claimed.length;
  }

  private room(): Room {
    const known = new Set([...this.busy.keys(), ...this.failing]);
    const byReceiver = new Map(
      [...known].map((receiver) => {
        const most = this.failing.has(receiver) ? 1 : AT_ONCE_EACH;
        return [receiver, most - (this.busy.get(receiver) ?? 0)];
      }),
    );
    return { inAll: AT_ONCE_MAX - this.underWay.size, forEach: AT_ONCE_EACH, byReceiver };
  }

  private begin(delivery: Delivery): void {
    const { receiver } = delivery;
    this.busy.set(receiver, (this.busy.get(receiver) ?? 0) + 1);
    const work = this.deliver(delivery)
      .catch(this.parts.onFault)
      .finally(() => {
        const left = (this.busy.get(receiver) ?? 1) - 1;
        if (left === 0) this.busy.delete(receiver);
        else this.busy.set(receiver, left);
        this.underWay.delete(work);
        this.loop.wake();
      });
    this.underWay.add(work);
  }

  private async deliver(delivery: Delivery): Promise<void> {
    const id = attemptId(delivery.id, delivery.tries);
    const tried = await this.parts.sender.attempt(id, delivery, this.cut.signal);
    this.remember(delivery, tried.outcome);
    await this.record(delivery, tried);
  }

  private remember({ receiver, tries }: Delivery, outcome: Outcome): void {
    const { counters } = this.parts;
    if (outcome.outcome === 'failed') this.failing.add(receiver);
    else this.failing.delete(receiver);
    if (outcome.outcome === 'delivered') counters.sent += 1;
    if (outcome.outcome !== 'failed') return;
    if (outcome.isFinal || retryDelayMs(tries) === null) counters.failed += 1;
    else counters.retried += 1;
  }

  /** Waits out an outage: an attempt whose outcome is not recorded would be repeated. */
  private async record(delivery: Delivery, tried: DeliveryAttempt): Promise<void> {
    const alarm = new Alarm();
    for (let failures = 1; ; failures++) {
      try {
        return await this.parts.queue.record(delivery, tried, true);
      } catch (error) {
        const isOutage = isTransient(error) || error instanceof LogUnavailableError;
        if (!isOutage || failures === RECORDS_MAX) throw error;
        await alarm.wait(growingWaitMs(failures, RETRY_FIRST_MS, RETRY_MOST_MS));
      }
    }
  }
}

import type { Channel } from './channel.js';

export interface HeartbeatTimings {
  readonly everyMs: number;
  /** Looks without an answer after which the other side serves nobody. */
  readonly silentAt: number;
  /** And after which it is given up: more than a busy one ever leaves. */
  readonly givenUpAt: number;
  /** The same until it is first heard: a program takes its time to load. */
  readonly givenUpAtStart: number;
}

const TIMINGS: HeartbeatTimings = {
  everyMs: 1_000,
  silentAt: 3,
  givenUpAt: 10,
  givenUpAtStart: 60,
};

/**
 * Asks the other side of a channel again and again whether it still runs, and reports once when it
 * does not. Time in which this side did not run itself, alone or with the whole machine, does not
 * count: the other side had none to answer either, or its answer lies here unread. Whatever it says
 * shows that it runs.
 */
export class Heartbeat {
  /** Looks since the other side was heard last. */
  private unanswered = 0;
  private heard = 0;
  private lookedAt: number;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly channel: Pick<Channel, 'ask' | 'heard'>,
    private readonly onHung: () => void,
    private readonly timings = TIMINGS,
    private readonly now = () => performance.now(),
  ) {
    this.lookedAt = now();
    this.timer = setInterval(() => this.look(), timings.everyMs).unref();
    this.ask();
  }

  /** It has not answered for a while; it may still be busy. */
  get isSilent(): boolean {
    return this.unanswered > this.timings.silentAt;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const { everyMs, givenUpAt, givenUpAtStart } = this.timings;
    const waitedMs = this.now() - this.lookedAt;
    this.lookedAt += waitedMs;
    if (this.heard < this.channel.heard) this.unanswered = 0;
    this.heard = this.channel.heard;
    if (waitedMs < 2 * everyMs) this.unanswered += 1;
    if (this.unanswered <= (this.heard > 0 ? givenUpAt : givenUpAtStart)) return this.ask();
    this.stop();
    this.onHung();
  }

  private ask(): void {
    // It has ended, which whoever owns it hears.
    this.channel.ask('alive').catch(() => this.stop());
  }
}

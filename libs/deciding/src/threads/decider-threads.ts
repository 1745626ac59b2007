import { AccountingUnavailableError } from '#account/charging.js';
import type { Clock } from '#calendar/clock.js';
import { laneOf, type LaneGroups } from '#event-log/event-log.js';
import type { PartState } from '#web/readiness.js';
import { DEFAULT_LIMITS } from '../accounting.js';
import type { Answer, Decider, Submission } from '../submission.js';
import { DeciderThread, type DeciderEvents } from './decider-thread.js';

export interface DeciderThreadsParts extends DeciderEvents {
  /** How many deciders, at least 1. */
  readonly deciders: number;
  /** Groups of the lanes, of which each decider owns neighbouring ones. */
  readonly groups: LaneGroups;
  readonly databaseUrl: string;
  /** Billing zone. */
  readonly zone: string;
  readonly clock: Clock;
  /** The program of the threads, the built one by default. */
  readonly program?: URL;
}

const PROGRAM = new URL('./decider-program.js', import.meta.url);

/**
 * Deciders in threads. Each owns neighbouring groups of lanes: every command of an account goes to
 * one thread, which alone holds its state.
 */
export class DeciderThreads implements Decider {
  private readonly threads: readonly DeciderThread[];
  private readonly byLane = new Map<number, DeciderThread>();

  constructor(private readonly parts: DeciderThreadsParts) {
    const { deciders, groups: all, databaseUrl, zone, program = PROGRAM } = parts;
    const { accountsMax, keysMax } = DEFAULT_LIMITS;
    const limits = {
      ...DEFAULT_LIMITS,
      accountsMax: Math.ceil(accountsMax / deciders),
      keysMax: Math.ceil(keysMax / deciders),
    };
    this.threads = Array.from({ length: deciders }, (_, index) => {
      const groups = all.filter((_, at) => Math.floor((at * deciders) / all.length) === index);
      const thread = new DeciderThread(program, { databaseUrl, zone, groups, limits }, parts);
      for (const lane of groups.flat()) this.byLane.set(lane, thread);
      return thread;
    });
  }

  /** Resolves once all serve. Rejects if one ends before that. */
  async start(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.start()));
  }

  /** Also throws AccountingUnavailableError while the account's decider is being replaced. */
  submit(submission: Submission): Promise<Answer> {
    const thread = this.byLane.get(laneOf(submission.accountId));
    return (
      thread?.submit(submission) ??
      Promise.reject(new AccountingUnavailableError('No decider has the lane.'))
    );
  }

  get serving(): number {
    return this.threads.filter(({ isServing }) => isServing).length;
  }

  /** Ready while any decider serves; the detail says how many do. */
  state(): PartState {
    const { serving } = this;
    const all = this.threads.length;
    if (serving === all) return { ready: true };
    return { ready: serving > 0, detail: `${serving} of ${all} deciders serve.` };
  }

  /** Metrics of all deciders as plain data; those that cannot answer are left out. */
  async metrics(): Promise<object[]> {
    const all = await Promise.allSettled(this.threads.map((thread) => thread.metrics()));
    return all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  /** To be called every so often: a thread that is blocked answers nobody by itself. */
  giveUpLate(): void {
    const now = this.parts.clock.now();
    for (const thread of this.threads) thread.giveUpLate(now);
  }

  async stop(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.stop()));
  }
}

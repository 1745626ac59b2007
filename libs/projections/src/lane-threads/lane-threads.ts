import { Thread } from '#workers/thread.js';
import type { LaneJob, ThreadData } from './lane-job.js';
import type { LaneReport } from '../verify/verify-lane.js';

/** Threads in which a long work on lanes is done, beside the one that serves. */
export interface Threads {
  readonly databaseUrl: string;
  /** At most so many; each has its own connections. */
  readonly count: number;
  /** A work on fewer events than these is done sooner without, 20,000 by default. */
  readonly eventsMin?: number;
  /** The program of a thread, the built one by default. */
  readonly program?: URL;
}

export interface LaneWork {
  readonly job: LaneJob;
  /** Billing zone. */
  readonly zone: string;
  /** In the order in which they are begun. */
  readonly lanes: readonly number[];
  readonly signal: AbortSignal;
  /** Called with the number of events worked on since the last call. */
  readonly onEvents: (events: number) => void;
  readonly onReport?: (report: LaneReport) => void;
}

const EVENTS_MIN = 20_000;
const PROGRAM = new URL('./lane-thread.js', import.meta.url);
/** The garbage of a page of events dies young, in a space that is large enough for several. */
const YOUNG_GENERATION_MB = 192;

/** Whether so many events are worth the start of threads. */
export function areWorthwhile(threads: Threads | undefined, events: number): threads is Threads {
  return threads !== undefined && events >= (threads.eventsMin ?? EVENTS_MIN);
}

/**
 * Works on lanes side by side, each thread on the next one that is left. Throws what the first
 * thread failed for, or the signal's reason; no thread lives on.
 */
export async function workInThreads(threads: Threads, work: LaneWork): Promise<void> {
  const failed = new AbortController();
  const signal = AbortSignal.any([work.signal, failed.signal]);
  const left = work.lanes.values();
  const count = Math.min(threads.count, work.lanes.length);
  const running = Array.from({ length: count }, () =>
    runThread(threads, { ...work, signal }, left).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(running);
  await Promise.all(running);
}

async function runThread(
  { databaseUrl, program = PROGRAM }: Threads,
  { job, zone, signal, onEvents, onReport }: LaneWork,
  left: Iterator<number>,
): Promise<void> {
  signal.throwIfAborted();
  const data: ThreadData = { databaseUrl, zone, job };
  const thread = new Thread({
    program,
    data,
    youngGenerationMb: YOUNG_GENERATION_MB,
    answers: {
      lane: () => left.next().value ?? null,
      events: (events: number) => {
        if (!signal.aborted) onEvents(events);
      },
      report: (report: LaneReport) => {
        if (!signal.aborted) onReport?.(report);
      },
    },
  });
  await thread.done(signal);
}

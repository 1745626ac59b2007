import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Shutdown } from '#web/shutdown.js';
import { DIST } from '../child.js';
import type { Latencies } from './latencies.js';

/** Who calls, and what for. Connections share the accounts and their API keys in turn. */
export interface LoadPlan {
  readonly apiKeys: readonly string[];
  /** So many of them follow each other for each account; 1 by default. */
  readonly keysOfEach?: number;
  readonly paths: readonly string[];
  readonly connections: number;
  /** Of a hundred calls, how many ask for what the connection has had already. */
  readonly repeatPercent: number;
}

export interface LoadOrder {
  readonly url: string;
  readonly seconds: number;
  /**
   * Calls fall due at this constant rate, answered or not, and wait for a free connection. Without
   * it every connection calls again as soon as it is answered.
   */
  readonly callsPerSecond?: number;
  /** Only so many of the connections. */
  readonly connections?: number;
  /** Whether each call asks for a signed receipt. */
  readonly withReceipts?: boolean;
}

export interface LoadResult {
  /** Answers in a second of the time ordered. */
  readonly perSecond: number;
  /** All of them, those shortly after it included. */
  readonly answers: number;
  /** Answers that were no 200. */
  readonly faults: number;
  /** Answers to what nobody had asked this server for. */
  readonly fresh: number;
  /** Answers that were charged as a first call. */
  readonly bases: number;
  /** How long it took until all connections stood, before the first call. */
  readonly connectMs: number;
  /** From a call to its answer, of the calls of the first second: what starting up costs. */
  readonly firstSecond: Latencies;
  /** From a call to its answer, of all later calls. */
  readonly latencies: Latencies;
  /**
   * At a constant rate, of the same calls, from when they were due: while a server stalls, those
   * count who would have called meanwhile.
   */
  readonly sinceDue: Latencies;
  /** Processor time of the process that made the load, in seconds. */
  readonly loadCpu: number;
}

/** The reason of a failed round. */
export interface LoadFailure {
  readonly failure: string;
}

/** Calls from a second process: the same ones to every server that it is pointed at. */
export class Load {
  private constructor(private readonly child: ChildProcess) {}

  static start(shutdown: Shutdown, plan: LoadPlan): Load {
    const child = fork(path.join(DIST, 'bench', 'load', 'load-process.js'));
    shutdown.stop('the load', async () => {
      const ended = once(child, 'close');
      if (child.exitCode === null && child.signalCode === null && child.kill()) await ended;
    });
    child.send(plan);
    return new Load(child);
  }

  /** Fires for some seconds. Throws when an answer was no 200. */
  async fire(order: LoadOrder): Promise<LoadResult> {
    const over = new AbortController();
    const { signal } = over;
    const answered = once(this.child, 'message', { signal });
    const ended = once(this.child, 'close', { signal }).then(() => {
      throw new Error('The process that makes the load ended.');
    });
    this.child.send(order);
    const first = Promise.race([answered, ended]);
    // The event that did not come removes its listener without an error.
    await Promise.allSettled([first]);
    void Promise.allSettled([answered, ended]);
    over.abort();
    const [result] = (await first) as [LoadResult | LoadFailure];
    if ('failure' in result) throw new Error(result.failure);
    if (result.faults > 0) throw new Error(`${result.faults} calls were not answered with 200.`);
    return result;
  }
}

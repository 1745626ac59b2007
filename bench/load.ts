import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Shutdown } from '#web/shutdown.js';
import { DIST } from './child.js';

/** Who calls, and what for. Connections share the API keys in turn. */
export interface LoadPlan {
  readonly apiKeys: readonly string[];
  readonly paths: readonly string[];
  readonly connections: number;
  /** Of a hundred calls, how many ask for what the connection has had already. */
  readonly repeatPercent: number;
}

export interface LoadOrder {
  readonly url: string;
  readonly seconds: number;
}

export interface LoadResult {
  /** Answers in a second of the time ordered. */
  readonly perSecond: number;
  /** All of them, those shortly after it included. */
  readonly answers: number;
  /** Answers that were no 200, and requests without an answer. */
  readonly faults: number;
  /** Answers to what nobody had asked this server for. */
  readonly fresh: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Calls from a second process: the same ones to every server that it is pointed at. */
export class Load {
  private constructor(private readonly child: ChildProcess) {}

  static start(shutdown: Shutdown, plan: LoadPlan): Load {
    const child = fork(path.join(DIST, 'bench', 'load-process.js'));
    shutdown.stop('the load', async () => {
      const ended = once(child, 'close');
      if (child.exitCode === null && child.signalCode === null && child.kill()) await ended;
    });
    child.send(plan);
    return new Load(child);
  }

  /** Fires for some seconds. Throws when an answer was no 200. */
  async fire(order: LoadOrder): Promise<LoadResult> {
    const answered = once(this.child, 'message');
    const ended = once(this.child, 'close').then(() => {
      throw new Error('The process that makes the load ended.');
    });
    this.child.send(order);
    const [result] = (await Promise.race([answered, ended])) as [LoadResult];
    if (result.faults > 0) throw new Error(`${result.faults} calls were not answered with 200.`);
    return result;
  }
}

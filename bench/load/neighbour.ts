import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Shutdown } from '#web/shutdown.js';
import { DIST } from '../child.js';

/** The work of a neighbour until it is stopped. Addresses are without a slash at their end. */
export type NeighbourPlan =
  | { readonly kind: 'rotations'; readonly adminUrl: string; readonly webhookId: string }
  | { readonly kind: 'quotes'; readonly url: string; readonly apiKeys: readonly string[] }
  | { readonly kind: 'csv'; readonly url: string; readonly apiKeys: readonly string[] }
  | { readonly kind: 'docs'; readonly url: string }
  | { readonly kind: 'keys'; readonly url: string }
  | { readonly kind: 'streams'; readonly url: string; readonly cookies: readonly string[] };

export type NeighbourKind = NeighbourPlan['kind'];

/** The answers that a neighbour got. */
export interface NeighbourResult {
  /** Answers by status, and connections that the service closed without one. */
  readonly answers: Readonly<Record<string, number>>;
  /** Processor time of the neighbour itself, in seconds. */
  readonly cpu: number;
}

/** One neighbour at work in a process of its own. */
export class Neighbour {
  private constructor(private readonly child: ChildProcess) {}

  /** Resolves once it is at work. */
  static async start(shutdown: Shutdown, plan: NeighbourPlan): Promise<Neighbour> {
    const child = fork(path.join(DIST, 'bench', 'load', 'neighbour-process.js'));
    shutdown.stop(`the neighbour (${plan.kind})`, async () => {
      const ended = once(child, 'close');
      if (child.exitCode === null && child.signalCode === null && child.kill()) await ended;
    });
    child.send(plan);
    const [message] = (await once(child, 'message')) as [unknown];
    if (message !== 'at work') throw new Error(`The neighbour did not begin: ${String(message)}`);
    return new Neighbour(child);
  }

  /** Ends it; answers what it was answered. */
  async stop(): Promise<NeighbourResult> {
    const answered = once(this.child, 'message');
    this.child.send('stop');
    const [result] = (await answered) as [NeighbourResult];
    // Behind a channel that this side has closed there is no event 'close'.
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
    return result;
  }
}

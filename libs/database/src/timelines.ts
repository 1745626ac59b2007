import { ServerRefusedError } from './server-refused-error.js';
import type { ServerState } from './server-state.js';

/**
 * The highest timeline seen of each cluster. A server on a lower one was promoted over: it is a
 * stale primary, whose log lacks what the others hold. Another cluster has timelines of its own.
 */
export class Timelines {
  private readonly highest = new Map<string, number>();

  /** Takes in what a server is. Throws ServerRefusedError for a stale primary. */
  check({ timeline, system }: ServerState, server: string): void {
    if (timeline === null || system === null) return;
    const seen = this.highest.get(system) ?? timeline;
    if (timeline < seen) {
      const detail = `it is on timeline ${timeline}, and timeline ${seen} was seen before`;
      throw new ServerRefusedError(
        `the server at ${server} is a stale primary: ${detail}`,
        'the server is a stale primary',
      );
    }
    this.highest.set(system, timeline);
  }
}

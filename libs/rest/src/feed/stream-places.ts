import type { Session } from '../portal-sessions/portal-session.js';

const SESSION_STREAMS_MAX = 10;
const ACCOUNT_STREAMS_MAX = 50;

/**
 * Places for streams, by session and by account, in this process. One is taken before anything is
 * awaited: requests that come at once cannot all see the last free one.
 */
export class StreamPlaces {
  private readonly taken = new Map<string, number>();

  /** Takes a place; answers how to give it back, or why there is none. */
  take({ id, accountId }: Pick<Session, 'id' | 'accountId'>): (() => void) | string {
    if (this.count(id) >= SESSION_STREAMS_MAX) {
      return `A session has at most ${SESSION_STREAMS_MAX} streams at a time.`;
    }
    if (this.count(accountId) >= ACCOUNT_STREAMS_MAX) {
      return `An account has at most ${ACCOUNT_STREAMS_MAX} streams at a time.`;
    }
    this.add(id, 1);
    this.add(accountId, 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.add(id, -1);
      this.add(accountId, -1);
    };
  }

  private count(of: string): number {
    return this.taken.get(of) ?? 0;
  }

  private add(of: string, places: number): void {
    const left = this.count(of) + places;
    if (left === 0) this.taken.delete(of);
    else this.taken.set(of, left);
  }
}

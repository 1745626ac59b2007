/** How long somebody may be away before the session ends. */
export const IDLE_MS = 30 * 60_000;
/** Input is noted at most this often. */
const NOTED_MS = 5_000;

/** The moment of the last input, in a store that all tabs share. */
export class IdleTime {
  constructor(
    private readonly store: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
    private readonly key: string,
    /** Ms since 1970. */
    private readonly now: () => number,
  ) {
    // Who has just signed in is there, whatever an earlier session has left.
    this.store.setItem(key, String(now()));
  }

  note(): void {
    // After the time is over, coming back does not begin it again.
    if (this.isOver() || this.now() - this.last() < NOTED_MS) return;
    this.store.setItem(this.key, String(this.now()));
  }

  isOver(): boolean {
    return this.now() - this.last() >= IDLE_MS;
  }

  forget(): void {
    this.store.removeItem(this.key);
  }

  private last(): number {
    return Number(this.store.getItem(this.key) ?? this.now());
  }
}

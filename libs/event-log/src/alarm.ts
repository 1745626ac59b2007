/** A wait that can be cut short. A ring that nobody was waiting for ends the next wait at once. */
export class Alarm {
  private rung = false;
  private wakeSleeper: (() => void) | undefined;

  /** Ends the wait under way, or the next one. */
  ring(): void {
    this.rung = true;
    this.wakeSleeper?.();
  }

  /** Resolves after `durationMs`, or when the alarm rings. One waiter at a time. */
  async wait(durationMs: number): Promise<void> {
    if (!this.rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, durationMs);
        this.wakeSleeper = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.wakeSleeper = undefined;
    }
    this.rung = false;
  }
}

/** Waits that double from `firstMs` up to `mostMs`: for the first, second, … failure in a row. */
export function growingWaitMs(failures: number, firstMs: number, mostMs: number): number {
  return Math.min(mostMs, firstMs * 2 ** Math.max(0, failures - 1));
}

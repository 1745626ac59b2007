interface LostTime {
  readonly from: number;
  until: number;
}

/**
 * The times whose commits the database has lost because an older copy of it took its place, on the
 * clock of `performance.now()`.
 */
export class LostTimes {
  private readonly times: LostTime[] = [];

  /** From now on everything will be lost, until the function that it returns is called. */
  begin(): () => void {
    const time = { from: performance.now(), until: Infinity };
    this.times.push(time);
    return () => (time.until = performance.now());
  }

  /** Whether something that lasted from `begun` to `ended` may have been decided in such a time. */
  covers(begun: number, ended: number): boolean {
    return this.times.some(({ from, until }) => begun <= until && ended >= from);
  }
}

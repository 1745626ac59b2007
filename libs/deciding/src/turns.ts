/** So many at once; the others wait in the order in which they asked. */
export class Turns {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Resolves when it is the caller's turn, which `end` ends. */
  begin(): Promise<void> {
    if (this.free === 0) return new Promise((resolve) => this.waiting.push(resolve));
    this.free -= 1;
    return Promise.resolve();
  }

  end(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}

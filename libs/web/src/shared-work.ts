/** One run of a work that has not begun. */
class Batch<Item, Result> {
  readonly items = new Set<Item>();
  readonly done: Promise<Result>;
  resolve: (result: Result | Promise<Result>) => void = () => undefined;

  constructor() {
    this.done = new Promise((resolve) => (this.resolve = resolve));
  }
}

export interface SharedWorkLimits {
  /** Runs at a time; 1 unless given. */
  readonly runsMax?: number;
  /** Items of a run; any number unless given. */
  readonly itemsMax?: number;
}

/**
 * One run of a work for all who ask for it. Whoever asks is in a run that has not begun, so the
 * work looks at the world after it was asked for; meanwhile the next run fills.
 */
export class SharedWork<Item, Result = void> {
  #running = 0;
  /** By the order in which they begin. */
  readonly #waiting = new Set<Batch<Item, Result>>();
  readonly #batches = new Map<Item, Batch<Item, Result>>();
  #filling: Batch<Item, Result> | undefined;

  constructor(
    private readonly work: (items: readonly Item[]) => Promise<Result>,
    private readonly limits: SharedWorkLimits = {},
  ) {}

  /** Resolves to the result of the run that the item is in; rejects when that has failed. */
  join(item: Item): Promise<Result> {
    const batch = this.#batches.get(item) ?? this.#add(item);
    return batch.done;
  }

  #add(item: Item): Batch<Item, Result> {
    const batch = this.#filling ?? this.#open();
    batch.items.add(item);
    this.#batches.set(item, batch);
    if (batch.items.size >= (this.limits.itemsMax ?? Infinity)) this.#filling = undefined;
    return batch;
  }

  #open(): Batch<Item, Result> {
    const batch = new Batch<Item, Result>();
    this.#filling = batch;
    this.#waiting.add(batch);
    // All that is asked for in this turn goes into one run: what arrived together on several
    // sockets is read in callbacks of its own, before this one.
    setImmediate(() => this.#begin());
    return batch;
  }

  #begin(): void {
    const [batch] = this.#waiting;
    if (batch === undefined || this.#running >= (this.limits.runsMax ?? 1)) return;
    this.#waiting.delete(batch);
    if (this.#filling === batch) this.#filling = undefined;
    for (const item of batch.items) this.#batches.delete(item);
    this.#running += 1;
    const run = this.work([...batch.items]).finally(() => {
      this.#running -= 1;
      this.#begin();
    });
    batch.resolve(run);
  }
}

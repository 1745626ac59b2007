interface Batch<Item> {
  readonly items: Set<Item>;
  readonly done: Promise<void>;
}

/**
 * One work at a time for all who ask for it. Whoever asks is in a batch that has not begun, so the
 * work looks at the world after it was asked for; meanwhile the next batch fills.
 */
export class Batches<Item> {
  #running: Promise<void> = Promise.resolve();
  #next: Batch<Item> | undefined;

  constructor(private readonly work: (items: readonly Item[]) => Promise<void>) {}

  /** Resolves when the item was worked on; rejects when the work of its batch failed. */
  join(item: Item): Promise<void> {
    const next = (this.#next ??= this.#begin());
    next.items.add(item);
    return next.done;
  }

  #begin(): Batch<Item> {
    const items = new Set<Item>();
    const done = this.#running.then(() => {
      this.#next = undefined;
      return this.work([...items]);
    });
    this.#running = done.catch(() => undefined);
    return { items, done };
  }
}

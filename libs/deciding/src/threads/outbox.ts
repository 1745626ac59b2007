/** Sends the text of a batch to the other side. */
export type Post = (text: string) => void;

/** Collects what is sent in one turn of the event loop, for one message as JSON. */
export class Outbox<Item> {
  private items: Item[] = [];

  constructor(private readonly post: Post) {}

  push(item: Item): void {
    if (this.items.length === 0) setImmediate(() => this.flush());
    this.items.push(item);
  }

  /** Sends at once what waits. */
  flush(): void {
    const { items } = this;
    this.items = [];
    if (items.length > 0) this.post(JSON.stringify(items));
  }
}

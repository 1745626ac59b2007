/** A part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The cursor of the next page; null at the end. */
  readonly next: string | null;
}

/**
 * A list as an async iterator of its items. It follows the cursors: the next page is read when all
 * items before it have been taken.
 */
export class Listing<Item> implements AsyncIterable<Item> {
  constructor(
    private readonly first: string | undefined,
    private readonly read: (after: string | undefined) => Promise<Page<Item>>,
  ) {}

  /** The same page by page. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let after = this.first;
    do {
      const page = await this.read(after);
      yield page;
      after = page.next ?? undefined;
    } while (after !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** All items at once, for lists that are known to be short. */
  async all(): Promise<Item[]> {
    const all: Item[] = [];
    for await (const item of this) all.push(item);
    return all;
  }
}

/** Cuts a list into parts whose items have about `most` events together, or are one alone. */
export function* inParts<Item>(
  items: Iterable<Item>,
  eventsOf: (item: Item) => number,
  most: number,
): Generator<readonly Item[]> {
  let part: Item[] = [];
  let events = 0;
  for (const item of items) {
    part.push(item);
    events += eventsOf(item);
    if (events < most) continue;
    yield part;
    part = [];
    events = 0;
  }
  if (part.length > 0) yield part;
}

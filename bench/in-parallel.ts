/** Works through what `next` gives until it gives undefined, so many at once. */
export async function inParallel<Item>(
  atOnce: number,
  next: () => Item | undefined,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const run = async (): Promise<void> => {
    for (let item = next(); item !== undefined; item = next()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, run));
}

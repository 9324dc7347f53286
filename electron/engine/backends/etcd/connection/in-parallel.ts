/**
 * Calls `work` for each item, at most `width` at once. Rejects with the first failure, after the calls in progress have
 * ended.
 */
export async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, lane));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

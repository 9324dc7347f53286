/**
 * Removes items from a list that fails, larger parts first, as long as the rest fails too (delta debugging). Returns the
 * shortest list that was found within `mostRuns` runs of `fails`; no single item can be left out of it if there were enough.
 */
export async function shrink<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
  mostRuns: number,
): Promise<readonly Item[]> {
  let shortest = items;
  let runs = 0;
  for (let size = Math.ceil(items.length / 2); size >= 1 && runs < mostRuns; ) {
    let isShorter = false;
    // From the end: later items depend on earlier ones.
    for (let from = shortest.length - size; from > -size && runs < mostRuns; from -= size) {
      const rest = [...shortest.slice(0, Math.max(0, from)), ...shortest.slice(from + size)];
      if (rest.length === shortest.length) continue;
      runs += 1;
      if (!(await fails(rest))) continue;
      shortest = rest;
      isShorter = true;
    }
    if (size === 1 && !isShorter) break;
    if (!isShorter) size = Math.ceil(size / 2);
    else size = Math.max(1, Math.min(size, Math.ceil(shortest.length / 2)));
    if (shortest.length === 0) break;
  }
  return shortest;
}

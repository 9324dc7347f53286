/** So many colours stay apart for every eye; a seventh would be taken for one of them. */
export const SERIES_COLOURS = 6;

/** A place in the palette, 0 to 5, by series; one that is not in it is among the others, who share the last. */
export type ColourPlaces = ReadonlyMap<string, number>;

/** One that outweighs another by less does not take its colour: it would come and go. */
const OUTWEIGHS = 2;

/** Of each set of series, so that one window shows one colour for one thing, wherever it is drawn. */
const chosenOf = new Map<string, readonly string[]>();

/**
 * Which colour each series has. Six or fewer have one each, in their order. Of more, the five that weigh most have one
 * of their own, in their order too.
 */
export function colourPlaces(ids: readonly string[], weightOf: (id: string) => number): ColourPlaces {
  if (ids.length <= SERIES_COLOURS) return new Map(ids.map((id, place) => [id, place]));
  const key = ids.join('\n');
  const before = new Set(chosenOf.get(key));
  const weight = new Map(ids.map(id => [id, weightOf(id) * (before.has(id) ? OUTWEIGHS : 1)]));
  const heaviest = new Set(
    ids.toSorted((a, b) => (weight.get(b) ?? 0) - (weight.get(a) ?? 0)).slice(0, SERIES_COLOURS - 1),
  );
  const chosen = ids.filter(id => heaviest.has(id));
  chosenOf.set(key, chosen);
  return new Map(chosen.map((id, place) => [id, place]));
}

/** More than any collection holds. */
const STANDS_STILL = 1e12;

/** Returns a collection's weight in the order of colours: paused and held ones first, then those with most to remove. */
export function weightOf(collection: { state: string; withDeadline: number } | undefined): number {
  const isStill = collection?.state === 'paused' || collection?.state === 'held';
  return (collection?.withDeadline ?? 0) + (isStill ? STANDS_STILL : 0);
}

export const colourAt = (place: number): string => `var(--series-${(place % SERIES_COLOURS) + 1})`;

/** Of a series, or of the others it is among. */
export const colourOf = (places: ColourPlaces, id: string): string =>
  colourAt(places.get(id) ?? SERIES_COLOURS - 1);

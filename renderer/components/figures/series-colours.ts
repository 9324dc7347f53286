/** Most colours that people with any colour vision can tell apart. */
export const SERIES_COLOURS = 6;

/** Position in the palette, 0 to 5, by series; series without one are merged into *others*, which has the last. */
export type ColourPlaces = ReadonlyMap<string, number>;

/**
 * A series takes the colour of another one only if it outweighs it by this factor, so that colours do not alternate.
 */
const OUTWEIGHS = 2;

/** Series with a colour of their own, by set of series: the same in every chart of the window. */
const chosenOf = new Map<string, readonly string[]>();

/**
 * Returns the colour of each series. Up to six have one each, in their order. Of more, the five of greatest weight
 * have one, in their order too.
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

/** Larger than the number of documents of any collection. */
const PAUSED_OR_HELD_WEIGHT = 1e12;

/** Returns a collection's weight in the order of colours: paused and held ones first, then those with most to remove. */
export function weightOf(collection: { state: string; withDeadline: number } | undefined): number {
  const isStopped = collection?.state === 'paused' || collection?.state === 'held';
  return (collection?.withDeadline ?? 0) + (isStopped ? PAUSED_OR_HELD_WEIGHT : 0);
}

export const colourAt = (place: number): string => `var(--series-${(place % SERIES_COLOURS) + 1})`;

/** Returns the colour of a series, or of *others* if it has none. */
export const colourOf = (places: ColourPlaces, id: string): string =>
  colourAt(places.get(id) ?? SERIES_COLOURS - 1);

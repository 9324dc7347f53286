/** Most colours that people with any colour vision can distinguish. */
export const SERIES_COLOURS = 6;

/** The last colour is grey, for series without one of their own. */
const OWN_COLOURS = SERIES_COLOURS - 1;
/** Number of bright colours, used first. The others are dark, and close to grey in thin bars. */
const BRIGHT_COLOURS = 3;

/** Position in the palette, 0 to 4, by series; series without one are merged into *others*, which are grey. */
export type ColourPlaces = ReadonlyMap<string, number>;

/**
 * A series takes the colour of another one only if it outweighs it by this factor, so that colours do not alternate.
 */
const OUTWEIGHS = 2;

/** Series with a colour of their own, by set of series: the same in every chart of the window. */
const chosenOf = new Map<string, readonly string[]>();
/** Last palette place of each series: a series keeps its colour when other series are added or removed. */
const placeOf = new Map<string, number>();

/**
 * Returns the colours of the five series of greatest weight. A series keeps its colour; a new series gets one by its
 * name.
 */
export function colourPlaces(ids: readonly string[], weightOf: (id: string) => number): ColourPlaces {
  if (ids.length <= OWN_COLOURS) return placesOf(ids);
  const key = ids.join('\n');
  const before = new Set(chosenOf.get(key));
  const weight = new Map(ids.map(id => [id, weightOf(id) * (before.has(id) ? OUTWEIGHS : 1)]));
  const heaviest = new Set(
    ids.toSorted((a, b) => (weight.get(b) ?? 0) - (weight.get(a) ?? 0)).slice(0, OWN_COLOURS),
  );
  const chosen = ids.filter(id => heaviest.has(id));
  chosenOf.set(key, chosen);
  return placesOf(chosen);
}

function placesOf(ids: readonly string[]): ColourPlaces {
  const free = new Set(Array.from({ length: OWN_COLOURS }, (_, place) => place));
  // Series that have a place are assigned first, so that they keep it.
  for (const id of [...ids.filter(id => placeOf.has(id)), ...ids.filter(id => !placeOf.has(id))]) {
    const place = preferredPlaces(id).find(preferred => free.has(preferred)) ?? 0;
    free.delete(place);
    placeOf.set(id, place);
  }
  return new Map(ids.map(id => [id, placeOf.get(id) ?? 0]));
}

/**
 * Returns all places in order of preference: the last place of the series, the bright ones from one chosen by its name,
 * the dark ones.
 */
function preferredPlaces(id: string): number[] {
  const before = placeOf.get(id);
  const first = hashOf(id);
  return [
    ...(before === undefined ? [] : [before]),
    ...Array.from({ length: BRIGHT_COLOURS }, (_, i) => (first + i) % BRIGHT_COLOURS),
    ...Array.from({ length: OWN_COLOURS - BRIGHT_COLOURS }, (_, i) => BRIGHT_COLOURS + i),
  ];
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
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

import { createStore, useStore } from '../../../state/store.ts';

/** Parts of the window that the tour shows, in order. */
const STOPS = ['timeline', 'documents', 'ttl-indexes', 'activity', 'reaper'] as const;
export type Stop = (typeof STOPS)[number];

/** Set after the tour was shown once, in this browser or on this machine. */
const KEY = 'sandglass.tour';
const SEEN = 'seen';

const shown = createStore<Stop | null>(null);
/** The stops that the window has, in their order: an engine without TTL indexes has no tab for them. */
const present = createStore<readonly Stop[]>([]);
/** The element focused when the tour began; focused again at its end. */
let focused: Element | null = null;

/** The present stop; null: none. */
export function useTourStop(): Stop | null {
  return useStore(shown);
}

/** The stops of the tour, in order. */
export function useTourStops(): readonly Stop[] {
  return useStore(present);
}

/** Adds a part that is shown in the window. Returns the function that removes it. */
export function addTourStop(stop: Stop): () => void {
  const set = (isPresent: (one: Stop) => boolean) => present.set(STOPS.filter(isPresent));
  const others = (one: Stop) => one !== stop && present.get().includes(one);
  set(one => one === stop || others(one));
  return () => set(others);
}

/** Called when a collection is opened. Returns the function that hides the tour. */
export function beginTour(): () => void {
  if (localStorage.getItem(KEY) !== SEEN) show();
  return () => shown.set(null);
}

function show(): void {
  focused = document.activeElement;
  shown.set(STOPS[0]);
}

/** Shows the tour again: in the open collection, or in the next one. */
export function repeatTour(): void {
  localStorage.removeItem(KEY);
  show();
}

/** Goes to the next stop, or ends after the last. */
export function stepTour(): void {
  const stop = shown.get();
  const stops = present.get();
  const next = stop === null ? undefined : stops[stops.indexOf(stop) + 1];
  if (next === undefined) endTour();
  else shown.set(next);
}

export function endTour(): void {
  localStorage.setItem(KEY, SEEN);
  shown.set(null);
  if (focused instanceof HTMLElement) focused.focus();
}

import type { Zone } from '../../../shared/model/zone.ts';
import { createStore, useSelected, useStore } from '../../state/store.ts';
import { everyWhileVisible } from '../../state/while-visible.ts';

/**
 * The clock of the window: the engine's time, read four times a second, so that all countdowns step together; and the
 * time zone that instants are shown in.
 */
const TICK_MS = 250;
const ZONE_KEY = 'sandglass.zone';

let engineNow: () => number = Date.now;
/** The engine's time at the last tick; runs while a component uses it. */
const ticks = createStore(engineNow(), () => {
  tick();
  return everyWhileVisible(TICK_MS, tick);
});

function tick(): void {
  ticks.set(engineNow());
}

/** Sets the source of `now`. Called once, at start. */
export function setEngineClock(now: () => number): void {
  engineNow = now;
  tick();
}

/** Returns the engine's time, epoch ms. For drawing each frame; text uses `useAtTick`. */
export function now(): number {
  return engineNow();
}

/**
 * Returns `read` of the engine's time, epoch ms. The component renders only when the result differs, so return text, not
 * the instant: of thousands of countdowns on screen, only those render whose text changes.
 */
export function useAtTick<Answer extends string | number | boolean | null>(
  read: (now: number) => Answer,
): Answer {
  return useSelected(ticks, read);
}

const zone = createStore<Zone>(localStorage.getItem(ZONE_KEY) === 'local' ? 'local' : 'utc');

export const getZone: () => Zone = zone.get;

export function setZone(next: Zone): void {
  localStorage.setItem(ZONE_KEY, next);
  zone.set(next);
}

/** UTC or local, for every instant shown. */
export function useZone(): [Zone, (zone: Zone) => void] {
  return [useStore(zone), setZone];
}

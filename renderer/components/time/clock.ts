import { useCallback, useSyncExternalStore } from 'react';
import type { Zone } from '../../../shared/model/zone.ts';

/**
 * The one clock of the window: the engine's now, read four times a second by everything that shows time, so that
 * all countdowns step together; and the zone instants are read in.
 */
const TICK_MS = 250;
const ZONE_KEY = 'sandglass.zone';

let engineNow: () => number = Date.now;
let tickedAt = engineNow();
let timer: ReturnType<typeof setInterval> | undefined;
const tickListeners = new Set<() => void>();

function tick(): void {
  tickedAt = engineNow();
  for (const listener of tickListeners) listener();
}

function subscribeToTick(listener: () => void): () => void {
  tickListeners.add(listener);
  if (timer === undefined) {
    tickedAt = engineNow();
    timer = setInterval(tick, TICK_MS);
  }
  return () => {
    tickListeners.delete(listener);
    if (tickListeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Called once at start: where "now" comes from. */
export function setEngineClock(now: () => number): void {
  engineNow = now;
  tick();
}

/** Now, by the engine's clock, in epoch milliseconds. For drawing per frame; to show text use `useAtTick`. */
export function now(): number {
  return engineNow();
}

/**
 * What `read` makes of now. The component renders only when the answer differs, so give back text, not the instant:
 * thousands of countdowns on screen then cost the few that change.
 */
export function useAtTick<Answer extends string | number | boolean | null>(
  read: (now: number) => Answer,
): Answer {
  return useSyncExternalStore(subscribeToTick, () => read(tickedAt));
}

let zone: Zone = localStorage.getItem(ZONE_KEY) === 'local' ? 'local' : 'utc';
const zoneListeners = new Set<() => void>();

export function getZone(): Zone {
  return zone;
}

export function setZone(next: Zone): void {
  zone = next;
  localStorage.setItem(ZONE_KEY, next);
  for (const listener of zoneListeners) listener();
}

function subscribeToZone(listener: () => void): () => void {
  zoneListeners.add(listener);
  return () => zoneListeners.delete(listener);
}

/** UTC or local, the one switch for every instant shown. */
export function useZone(): [Zone, (zone: Zone) => void] {
  const current = useSyncExternalStore(subscribeToZone, getZone);
  return [current, useCallback(setZone, [])];
}

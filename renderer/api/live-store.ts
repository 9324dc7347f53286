import { useSyncExternalStore } from 'react';
import type { LiveUpdate } from '../../shared/contract/live.ts';
import { applyUpdate, type LiveState, NOTHING_YET } from './live-state.ts';

/** The one copy of the live state, outside React: updates come ten times a second, and few components see a change. */
let state = NOTHING_YET;
const listeners = new Set<() => void>();
const updateListeners = new Set<(update: LiveUpdate) => void>();

export function liveState(): LiveState {
  return state;
}

export function setLiveState(change: Partial<LiveState>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

/** Nothing is known any more but which connections there are: those are the same from wherever one looks. */
export function beginLiveState(at: string): void {
  setLiveState({ ...NOTHING_YET, at, connections: state.connections });
}

export function takeUpdate(update: LiveUpdate): void {
  setLiveState(applyUpdate(state, update));
  for (const listener of updateListeners) listener(update);
}

/** Hears every update after the state holds it. Returns how to stop. */
export function onUpdate(listener: (update: LiveUpdate) => void): () => void {
  updateListeners.add(listener);
  return () => updateListeners.delete(listener);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Part of the live state. `read` must give the same value (not an equal one) while nothing changed. */
export function useLive<Part>(read: (state: LiveState) => Part): Part {
  return useSyncExternalStore(subscribe, () => read(state));
}

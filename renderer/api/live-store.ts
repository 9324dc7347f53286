import type { LiveUpdate } from '../../shared/contract/live.ts';
import { createEmitter } from '../state/emitter.ts';
import { createStore, useSelected } from '../state/store.ts';
import { applyUpdate, type LiveState, NOTHING_YET } from './live-state.ts';

/** The one copy of the live state, outside React: updates come ten times a second, and few components see a change. */
const live = createStore(NOTHING_YET);
const updates = createEmitter<LiveUpdate>();

export const liveState: () => LiveState = live.get;

export function setLiveState(change: Partial<LiveState>): void {
  live.set({ ...live.get(), ...change });
}

/** Nothing is known any more but which connections there are: those are the same from wherever one looks. */
export function beginLiveState(at: string): void {
  setLiveState({ ...NOTHING_YET, at, connections: live.get().connections });
}

export function takeUpdate(update: LiveUpdate): void {
  live.set(applyUpdate(live.get(), update));
  updates.emit(update);
}

/** Hears every update after the state holds it. Returns how to stop. */
export const onUpdate: (listener: (update: LiveUpdate) => void) => () => void = updates.subscribe;

/** Part of the live state. `read` must give the same value (not an equal one) while nothing changed. */
export function useLive<Part>(read: (state: LiveState) => Part): Part {
  return useSelected(live, read);
}

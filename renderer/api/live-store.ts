import type { LiveUpdate } from '../../shared/contract/live.ts';
import { createEmitter } from '../state/emitter.ts';
import { createStore, useSelected } from '../state/store.ts';
import { applyUpdate, type LiveState, NOTHING_YET } from './live-state.ts';

/** The live state, kept outside React: updates come ten times a second and concern few components. */
const live = createStore(NOTHING_YET);
const updates = createEmitter<LiveUpdate>();

export const liveState: () => LiveState = live.get;

export function setLiveState(change: Partial<LiveState>): void {
  live.set({ ...live.get(), ...change });
}

/** Clears everything but the list of connections, which is the same for all of them. */
export function beginLiveState(at: string): void {
  setLiveState({ ...NOTHING_YET, at, connections: live.get().connections });
}

export function receiveUpdate(update: LiveUpdate): void {
  live.set(applyUpdate(live.get(), update));
  updates.emit(update);
}

/** Called after each update. Returns the function that unsubscribes. */
export const onUpdate: (listener: (update: LiveUpdate) => void) => () => void = updates.subscribe;

/** Selects part of the live state. `read` must return the identical value while nothing changed. */
export function useLive<Part>(read: (state: LiveState) => Part): Part {
  return useSelected(live, read);
}

import { createStore, useStore } from './store.ts';

/** Whether pending changes of production connections are kept over a reload, in this browser or on this machine. */
const KEY = 'sandglass.keepProduction';
const kept = createStore(localStorage.getItem(KEY) === 'true');

export function useKeepsProduction(): [boolean, (keep: boolean) => void] {
  return [useStore(kept), setKeepsProduction];
}

function setKeepsProduction(keep: boolean): void {
  localStorage.setItem(KEY, String(keep));
  kept.set(keep);
}

import { keysHere } from './platform.ts';

/** Keys as they are named on this machine's keyboard, given as on a PC: `Ctrl ⇧ P`. */
export function Kbd({ children }: { children: string }) {
  return <kbd className="kbd">{keysHere(children)}</kbd>;
}

import { keysHere } from './platform.ts';

/** Keys as they stand on this machine's keyboard; written as on a PC: `Ctrl ⇧ P`. */
export function Kbd({ children }: { children: string }) {
  return <kbd className="kbd">{keysHere(children)}</kbd>;
}

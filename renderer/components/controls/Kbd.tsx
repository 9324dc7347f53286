import { keysHere } from './platform.ts';

/** Shortcut keys in the notation of this platform, given in that of a PC: `Ctrl ⇧ P`. */
export function Kbd({ children }: { children: string }) {
  return <kbd className="kbd">{keysHere(children)}</kbd>;
}

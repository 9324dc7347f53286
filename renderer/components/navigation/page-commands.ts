import { useEffect } from 'react';
import { useLatest } from '../../state/latest.ts';
import type { IconName } from '../controls/Icon.tsx';

/** A command of the present page, also offered in the palette. */
export interface PageCommand {
  label: string;
  /** The subject, if the label does not name it. */
  detail?: string;
  icon: IconName;
  shortcut?: string;
  disabled?: boolean;
  /** Removes data: listed after every other match. */
  destroys?: boolean;
  run: () => void;
}

const shown = new Set<() => readonly PageCommand[]>();

/** Registers commands while the component is mounted. */
export function usePageCommands(commands: readonly PageCommand[]): void {
  // An effect event is not used, because the palette reads the commands while it renders.
  const latest = useLatest(commands);
  useEffect(() => {
    const registered = () => latest.current;
    shown.add(registered);
    return () => {
      shown.delete(registered);
    };
  }, [latest]);
}

/** Returns the commands of the mounted components, read when the palette opens. */
export const pageCommands = (): PageCommand[] => [...shown].flatMap(read => read());

import { useEffect, useRef } from 'react';
import type { IconName } from '../controls/Icon.tsx';

/** Something that can be done on what is shown, also from the palette. */
export interface PageCommand {
  label: string;
  /** What it is about, where the label does not say. */
  detail?: string;
  icon: IconName;
  shortcut?: string;
  disabled?: boolean;
  run: () => void;
}

const shown = new Set<() => readonly PageCommand[]>();

/** Offers them while the component is shown. */
export function usePageCommands(commands: readonly PageCommand[]): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    const read = () => latest.current;
    shown.add(read);
    return () => {
      shown.delete(read);
    };
  }, []);
}

/** What is offered now: read as the palette opens. */
export const pageCommands = (): PageCommand[] => [...shown].flatMap(read => read());

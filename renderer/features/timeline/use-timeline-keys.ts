import { useEffect, useRef } from 'react';
import { presetForKey, type ZoomPreset } from './model/zoom.ts';

export interface TimelineKeys {
  onPreset: (preset: ZoomPreset) => void;
  onBackToNow: () => void;
  onToggleTable: () => void;
}

/** 1 to 5, N and T, wherever on the page the focus is, except where keys are typed. */
export function useTimelineKeys(keys: TimelineKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const ended = new AbortController();
    document.addEventListener(
      'keydown',
      event => {
        if (
          event.ctrlKey ||
          event.metaKey ||
          event.altKey ||
          event.defaultPrevented ||
          typesText(event.target)
        )
          return;
        const preset = presetForKey(event.key);
        if (preset !== undefined) latest.current.onPreset(preset);
        else if (event.key === 'n' || event.key === 'N') latest.current.onBackToNow();
        else if (event.key === 't' || event.key === 'T') latest.current.onToggleTable();
      },
      { signal: ended.signal },
    );
    return () => ended.abort();
  }, []);
}

/** Also within a dialog: what lies under it is not meant. */
function typesText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null)
  );
}

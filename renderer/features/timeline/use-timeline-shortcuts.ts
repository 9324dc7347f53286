import { useShortcuts } from '../../components/shortcuts/use-shortcuts.ts';
import { ZOOM_PRESETS, type ZoomPreset } from './model/zoom.ts';

interface TimelineCommands {
  showPreset: (preset: ZoomPreset) => void;
  backToNow: () => void;
  toggleTable: () => void;
}

/** 1 to 5 zoom to a preset, N goes back to now, T switches between chart and table. */
export function useTimelineShortcuts({ showPreset, backToNow, toggleTable }: TimelineCommands): void {
  const presets = ZOOM_PRESETS.map((preset, i) => [String(i + 1), () => showPreset(preset)] as const);
  useShortcuts({ ...Object.fromEntries(presets), n: backToNow, t: toggleTable });
}

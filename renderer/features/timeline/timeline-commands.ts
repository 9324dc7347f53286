import { t } from '@lingui/core/macro';
import type { PageCommand } from '../../components/navigation/page-commands.ts';
import type { TimelineSeries } from './model/timeline-model.ts';
import { PRESET_NAMES, ZOOM_PRESETS, type ZoomPreset } from './model/zoom.ts';

interface TimelineActions {
  series: readonly TimelineSeries[];
  hidden: ReadonlySet<string>;
  tableOpen: boolean;
  onPreset: (preset: ZoomPreset) => void;
  onBackToNow: () => void;
  onToggleTable: () => void;
  onToggleSeries: (id: string) => void;
}

/** The commands of the header and the legend, for the palette. */
export function timelineCommands(acts: TimelineActions): PageCommand[] {
  return [
    ...ZOOM_PRESETS.map(
      (preset, index): PageCommand => ({
        label: t`Zoom the timeline to ${PRESET_NAMES[preset].toLowerCase()}`,
        icon: 'live',
        shortcut: String(index + 1),
        run: () => acts.onPreset(preset),
      }),
    ),
    { label: t`Back to now`, icon: 'glass', shortcut: 'N', run: acts.onBackToNow },
    {
      label: acts.tableOpen ? t`Hide the timeline’s table` : t`Show the timeline as a table`,
      icon: 'table',
      shortcut: 'T',
      run: acts.onToggleTable,
    },
    ...acts.series.map(
      ({ id, label }): PageCommand => ({
        label: acts.hidden.has(id) ? t`Show ${label} on the timeline` : t`Hide ${label} on the timeline`,
        icon: 'filter',
        run: () => acts.onToggleSeries(id),
      }),
    ),
  ];
}

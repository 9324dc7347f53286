import { t } from '@lingui/core/macro';
import { type ReactNode, useRef, useState } from 'react';
import { usePageCommands } from '../../components/navigation/page-commands.ts';
import type { TimelineUnit } from './canvas/view-events.ts';
import { BackToNow, TableSwitch, TimelineUnitLabel } from './HeaderParts.tsx';
import { Timeline, type TimelineHandle, type TimelineProps } from './Timeline.tsx';
import { TimelineLegend } from './TimelineLegend.tsx';
import { TimelineTable } from './TimelineTable.tsx';
import classes from './timeline.module.css';
import { timelineCommands } from './timeline-commands.ts';
import { useIsWide } from './use-is-wide.ts';
import { useTimelineShortcuts } from './use-timeline-shortcuts.ts';
import { ZoomPresets } from './ZoomPresets.tsx';

export interface TimelinePanelProps
  extends Omit<TimelineProps, 'hiddenSeries' | 'onUnitChange' | 'onPannedChange' | 'variant' | 'ref'> {
  /** The accessible name: `Timeline of sessions`. */
  name: string;
  /** Indexes that await confirmation: they have no bars yet. */
  waiting?: readonly string[];
  /** Shown at the right end of the header. */
  actions?: ReactNode;
}

/** The timeline with its header, and the table beside it. */
export function TimelinePanel({ name, waiting = [], actions, ...timeline }: TimelinePanelProps) {
  const { answer, zone, zoom, onZoomChange } = timeline;
  const handle = useRef<TimelineHandle>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [unit, setUnit] = useState<TimelineUnit | null>(null);
  const [panned, setPanned] = useState(false);
  const [tableOpen, setTableOpen] = useState(false);
  // A hidden table would still be rendered with each second and each answer.
  const isWide = useIsWide();

  const backToNow = () => handle.current?.backToNow();
  const showPreset = (preset: typeof zoom) => {
    // Pressing a preset again returns to now, because the view may have been panned.
    if (preset === zoom) backToNow();
    else onZoomChange(preset);
  };
  const toggleTable = () => setTableOpen(open => !open);
  const toggleSeries = (id: string) => setHidden(before => before.symmetricDifference(new Set([id])));
  useTimelineShortcuts({ showPreset, backToNow, toggleTable });
  usePageCommands(
    timelineCommands({
      series: answer?.series ?? [],
      hidden,
      tableOpen,
      onPreset: showPreset,
      onBackToNow: backToNow,
      onToggleTable: toggleTable,
      onToggleSeries: toggleSeries,
    }),
  );

  return (
    <section className="panel grow" aria-label={name}>
      <div className="panel-h">
        <h2>{t`Timeline`}</h2>
        {unit !== null && <TimelineUnitLabel unit={unit} recounting={answer?.recounting ?? false} />}
        <div className="spacer" />
        {answer !== null && (
          <TimelineLegend answer={answer} waiting={waiting} hiddenSeries={hidden} onToggle={toggleSeries} />
        )}
        <div className="spacer" />
        {panned && <BackToNow onClick={backToNow} />}
        <ZoomPresets zoom={zoom} onZoomChange={showPreset} />
        <TableSwitch open={tableOpen} onToggle={toggleTable} />
        {actions}
      </div>
      <div className={classes.row}>
        <Timeline
          {...timeline}
          ref={handle}
          hiddenSeries={hidden}
          onUnitChange={setUnit}
          onPannedChange={setPanned}
        />
        {answer !== null && (tableOpen || isWide) && (
          <TimelineTable answer={answer} zone={zone} hiddenSeries={hidden} open={tableOpen} />
        )}
      </div>
    </section>
  );
}

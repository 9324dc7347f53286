import { t } from '@lingui/core/macro';
import { Popover } from '@mantine/core';
import { type ReactElement, useEffect } from 'react';
import { useMissing, useWords } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { formatRecords } from '../../../i18n/format-engine-words.ts';
import classes from './tour.module.css';
import { addTourStop, endTour, type Stop, stepTour, useTourStop, useTourStops } from './tour-store.ts';

/** Returns the title and the text of a stop, as this connection has that part. */
function useTexts(stop: Stop): readonly [title: string, text: string] {
  const words = useWords();
  const restores = useMissing('restore') === null;
  const pauses = useMissing('reaper') === null;
  switch (stop) {
    case 'timeline':
      return [
        t`Timeline`,
        t`How much expires, and when. The past is left of the line. Click a bar to list what it counts.`,
      ];
    case 'documents':
      return [
        formatRecords(words),
        t`What is stored, with its deadlines. Edits are staged first, and written when you apply them.`,
      ];
    case 'ttl-indexes':
      return [
        t`TTL indexes`,
        t`Rules that set deadlines. Before one is created, you see exactly what it would remove.`,
      ];
    case 'activity':
      return [
        t`Activity`,
        restores
          ? t`What expired or was deleted, and when. It can be restored from here.`
          : t`What expired or was deleted, and when.`,
      ];
    case 'reaper':
      return [
        t`Reaper`,
        pauses
          ? t`Removes what is past its deadline. You can pause it here at any time.`
          : t`The server itself removes what is past its deadline.`,
      ];
  }
}

/** Explains one part of the window during the tour, beside that part. Escape ends the tour. */
export function TourStop({ stop, children }: { stop: Stop; children: ReactElement }) {
  const isShown = useTourStop() === stop;
  const stops = useTourStops();
  useEffect(() => addTourStop(stop), [stop]);
  const [title, text] = useTexts(stop);
  const place = stops.indexOf(stop) + 1;
  const isLast = place === stops.length;
  return (
    <Popover
      opened={isShown}
      onDismiss={endTour}
      closeOnClickOutside={false}
      position="bottom-start"
      width={300}
      withArrow
      // The target is a link; during the tour it opens nothing.
      withRoles={false}
      trapFocus
    >
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t`Tour: ${title}`} p={12}>
        <h2 className="t-semi">{title}</h2>
        <p className="wrap">{text}</p>
        <div className={`row end ${classes.foot}`}>
          <span className="t-3">{t`${place} of ${stops.length}`}</span>
          <span className="spacer" />
          {!isLast && <Button small variant="ghost" onClick={endTour}>{t`Skip`}</Button>}
          <Button small variant="primary" data-autofocus onClick={stepTour}>
            {isLast ? t`Done` : t`Next`}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

import { t } from '@lingui/core/macro';
import { Popover } from '@mantine/core';
import type { ReactElement } from 'react';
import { Button } from '../../../components/controls/Button.tsx';
import classes from './tour.module.css';
import { endTour, STOPS, type Stop, stepTour, useTourStop } from './tour-store.ts';

const TEXTS: Record<Stop, readonly [title: string, text: string]> = {
  timeline: [
    t`Timeline`,
    t`How many documents expire, and when. The past is left of the line. Click a bar for its documents.`,
  ],
  documents: [
    t`Documents`,
    t`Every document with its deadline. Edits are staged first, and written when you apply them.`,
  ],
  'ttl-indexes': [
    t`TTL indexes`,
    t`Rules that give documents a deadline. Before one is created, you see exactly what it would remove.`,
  ],
  activity: [t`Activity`, t`What expired or was deleted, and when. It can be restored from here.`],
  reaper: [t`Reaper`, t`Removes documents at their deadline. You can pause it here at any time.`],
};

/** Explains one part of the window during the tour, beside that part. Escape ends the tour. */
export function TourStop({ stop, children }: { stop: Stop; children: ReactElement }) {
  const isShown = useTourStop() === stop;
  const [title, text] = TEXTS[stop];
  const place = STOPS.indexOf(stop) + 1;
  const isLast = place === STOPS.length;
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
          <span className="t-3">{t`${place} of ${STOPS.length}`}</span>
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

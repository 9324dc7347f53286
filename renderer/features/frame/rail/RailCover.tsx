import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { usePlace } from '../../../components/navigation/location.ts';
import { useShortcuts } from '../../../components/shortcuts/use-shortcuts.ts';
import classes from './rail.module.css';
import { uncoverPage } from './rail-fold.ts';

/** The page behind a sidebar that covers it: a click here, Escape, or another page collapses the sidebar. */
export function RailCover() {
  const place = usePlace().path.join('/');
  const [first] = useState(place);
  useEffect(() => {
    if (place !== first) uncoverPage();
  }, [place, first]);
  useShortcuts({ escape: uncoverPage }, { reach: 'window' });
  return (
    <button
      type="button"
      className={classes.cover}
      aria-label={t`Collapse the sidebar`}
      tabIndex={-1}
      onClick={uncoverPage}
    />
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useRefusal } from '../../../api.ts';
import { Button, ButtonLink } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { toIndex } from '../../../components/navigation/location.ts';
import { Ago } from '../../../components/time/Time.tsx';
import { formatCount } from '../../../i18n/format.ts';
import classes from './policy-history.module.css';
import { useDroppedIndexes } from './use-dropped-indexes.ts';

interface DroppedIndexesProps {
  collection: string;
  /** Names in use. */
  names: ReadonlySet<string>;
}

const SHOWN = 3;

/** Indexes dropped from this collection, with their history and a button to restore each. */
export function DroppedIndexes({ collection, names }: DroppedIndexesProps) {
  const [showsAll, setShowsAll] = useState(false);
  const mayConfigure = useRefusal('ttlIndexes.revert') === null;
  const dropped = useDroppedIndexes(collection).filter(({ name }) => !names.has(name));
  if (dropped.length === 0) return null;
  const shown = showsAll ? dropped : dropped.slice(0, SHOWN);
  return (
    <section className={`panel ${classes.droppedIndexes}`} aria-label={t`Dropped indexes`}>
      <ul>
        {shown.map(({ name, at, by }) => (
          <li key={name} className="row">
            <Icon name="trash" size={14} />
            <span className="mono ell" title={name}>
              {name}
            </span>
            <span className="t-12 t-3 nowrap">
              <Trans>
                dropped by {by} <Ago at={at} />
              </Trans>
            </span>
            <span className="spacer" />
            <ButtonLink small variant="ghost" href={toIndex(collection, name)}>{t`History`}</ButtonLink>
            {mayConfigure && (
              <ButtonLink small href={toIndex(collection, name, { revert: 'last' })}>
                <Icon name="undo" size={12} />
                <Trans>Restore…</Trans>
              </ButtonLink>
            )}
          </li>
        ))}
      </ul>
      {shown.length < dropped.length && (
        <Button variant="ghost" small onClick={() => setShowsAll(true)}>
          <Trans>Show all {formatCount(dropped.length)} dropped</Trans>
        </Button>
      )}
    </section>
  );
}

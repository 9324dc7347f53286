import { t } from '@lingui/core/macro';
import { Fragment } from 'react';
import { Icon } from '../../../components/controls/Icon.tsx';
import type { Difference } from './format-change.ts';
import classes from './policy-history.module.css';

/** Old and new value of each changed property. */
export function Differences({ differences }: { differences: readonly Difference[] }) {
  return (
    <dl className={classes.differences}>
      {differences.map(({ what, was, is }) => (
        <Fragment key={what}>
          <dt className="t-3">{what}</dt>
          <dd>
            {was !== null && (
              <>
                <span className="t-2">{was}</span> <Icon name="arrow" size={12} label={t`becomes`} />{' '}
              </>
            )}
            <span>{is}</span>
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

import { Fragment } from 'react';
import { Icon } from '../../../components/controls/Icon.tsx';
import type { Difference } from './format-change.ts';
import './policy-history.css';

/** Old and new value of each difference. */
export function Differences({ differences }: { differences: readonly Difference[] }) {
  return (
    <dl className="differences">
      {differences.map(({ what, was, is }) => (
        <Fragment key={what}>
          <dt className="t-3">{what}</dt>
          <dd>
            {was !== null && (
              <>
                <span className="t-2">{was}</span> <Icon name="arrow" size={12} label="becomes" />{' '}
              </>
            )}
            <span>{is}</span>
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

import { Trans } from '@lingui/react/macro';
import { toCollection, toIndex } from '../../components/navigation/location.ts';
import classes from './form/index-form.module.css';

/** Shown instead of the form while the index is unknown, or if it does not exist. */
export function MissingIndex({
  collection,
  index,
  isLoading,
}: {
  collection: string;
  index: string;
  isLoading: boolean;
}) {
  if (isLoading) return <div className="index-form" aria-busy="true" />;
  return (
    <div className="index-form">
      <div className={classes.titlebar}>
        <h2 className="t-title">
          <Trans>
            {collection} has no TTL index named {index}
          </Trans>
        </h2>
      </div>
      <p className="form">
        <Trans>
          It was dropped, or never created. <a href={toIndex(collection, index)}>Its history</a>, or all{' '}
          <a href={toCollection(collection, 'ttl-indexes')}>TTL indexes of {collection}</a>
        </Trans>
      </p>
    </div>
  );
}

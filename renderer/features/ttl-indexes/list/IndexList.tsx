import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { problemOf, useLive, useRefusal, useWords } from '../../../api.ts';
import { Button, ButtonLink } from '../../../components/controls/Button.tsx';
import { toCreateIndex } from '../../../components/navigation/location.ts';
import { EmptyState } from '../../../components/status/EmptyState.tsx';
import { formatRecordCount } from '../../../i18n/format-engine-words.ts';
import { DroppedIndexes } from '../history/DroppedIndexes.tsx';
import { SchemaSetUp, useIndexSchema } from '../schema/SchemaSetUp.tsx';
import { DropDialog } from './DropDialog.tsx';
import { IndexCard } from './IndexCard.tsx';
import classes from './index-list.module.css';
import { useIndexes } from './use-indexes.ts';

/** The TTL indexes of a collection, with their state and actions. */
export function IndexList({ collection }: { collection: string }) {
  const { data: indexes, error, refetch } = useIndexes(collection);
  const documents = useLive(state => state.collections?.get(collection)?.documents);
  const words = useWords();
  const mayConfigure = useRefusal('ttlIndexes.create') === null;
  const schema = useIndexSchema();
  const [dropping, setDropping] = useState<TtlIndex | null>(null);

  if (error !== null && indexes === undefined) {
    return (
      <EmptyState
        icon="err"
        title={t`The TTL indexes cannot be shown`}
        actions={<Button onClick={() => void refetch()}>{t`Try again`}</Button>}
      >
        {problemOf(error).message}
      </EmptyState>
    );
  }
  if (indexes === undefined || schema === 'unknown') return <div aria-busy="true" />;
  if (schema !== null && schema.schema !== 'present') return <SchemaSetUp schema={schema} />;
  if (indexes.length === 0) {
    return (
      <>
        <EmptyState
          icon="glass"
          title={t`No TTL configured`}
          actions={
            mayConfigure && (
              <ButtonLink
                variant="primary"
                href={toCreateIndex(collection)}
              >{t`Create TTL index…`}</ButtonLink>
            )
          }
        >
          {documents === undefined
            ? t`${collection} has no rule that removes anything.`
            : t`${collection} has ${formatRecordCount(words, documents)} and no rule that removes any.`}
        </EmptyState>
        <DroppedIndexes collection={collection} names={new Set()} />
      </>
    );
  }
  return (
    <div className={classes.indexList}>
      <h2 className="visually-hidden">
        <Trans>TTL indexes of {collection}</Trans>
      </h2>
      {indexes.length > 1 && (
        <p className="t-12 t-3">
          <Trans>The earliest deadline wins. An expiration set by hand outranks all of them.</Trans>
        </p>
      )}
      <ul>
        {indexes.map(index => (
          <IndexCard key={index.name} index={index} onDrop={() => setDropping(index)} />
        ))}
      </ul>
      <DroppedIndexes collection={collection} names={new Set(indexes.map(({ name }) => name))} />
      <DropDialog index={dropping} onClose={() => setDropping(null)} />
    </div>
  );
}

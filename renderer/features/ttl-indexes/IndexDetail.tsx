import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { PolicyChange } from '../../../shared/contract/ttl-indexes.ts';
import { problemOf, useRefusal } from '../../api.ts';
import { Button, ButtonLink } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import { changeQuery, toCollection, usePlace } from '../../components/navigation/location.ts';
import { EmptyState } from '../../components/status/EmptyState.tsx';
import { Note } from '../../components/status/Note.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { DefinitionPanel } from './history/DefinitionPanel.tsx';
import { revertOffer } from './history/format-change.ts';
import { PolicyHistory } from './history/PolicyHistory.tsx';
import classes from './history/policy-history.module.css';
import { RevertDialog } from './history/RevertDialog.tsx';
import { usePolicyHistory } from './history/use-policy-history.ts';
import { DropDialog } from './list/DropDialog.tsx';
import { IndexCard } from './list/IndexCard.tsx';
import indexListClasses from './list/index-list.module.css';
import { useIndexes } from './list/use-indexes.ts';
import { TableStatements } from './schema/TableStatements.tsx';
import { TableWarnings } from './schema/TableWarnings.tsx';

/** One index, present or dropped, with its definition in other formats and its history. */
export function IndexDetail({ collection, name }: { collection: string; name: string }) {
  const indexes = useIndexes(collection);
  const { data: history, error, refetch } = usePolicyHistory(collection, name);
  const { query } = usePlace();
  const mayConfigure = useRefusal('ttlIndexes.update') === null;
  const index = indexes.data?.find(found => found.name === name) ?? null;

  if (error !== null && history === undefined) {
    if (problemOf(error).code === 'TTL_INDEX_NOT_FOUND') {
      return (
        <EmptyState
          icon="glass"
          title={t`No such TTL index`}
          actions={
            <ButtonLink href={toCollection(collection, 'ttl-indexes')}>
              <Trans>TTL indexes of {collection}</Trans>
            </ButtonLink>
          }
        >
          <Trans>
            {collection} has no TTL index named {name} and never had one.
          </Trans>
        </EmptyState>
      );
    }
    return (
      <EmptyState
        icon="err"
        title={t`${name} cannot be shown`}
        actions={<Button onClick={() => void refetch()}>{t`Try again`}</Button>}
      >
        {problemOf(error).message}
      </EmptyState>
    );
  }
  if (history === undefined || indexes.data === undefined) return <div aria-busy="true" />;

  const asked = query.get('revert');
  const isAsked = (change: PolicyChange): boolean =>
    asked === 'last' ? 'target' in revertOffer(change, index) : String(change.id) === asked;
  const reverting = (mayConfigure ? history.find(isAsked) : undefined) ?? null;
  const isDropping = mayConfigure && query.get('drop') === 'index';
  const askDrop = (drops: boolean) => changeQuery({ drop: drops ? 'index' : null });
  const openRevert = (id: number | null) => changeQuery({ revert: id });
  return (
    <div className={classes.indexDetail}>
      <h2 className="visually-hidden">
        <Trans>TTL index {name}</Trans>
      </h2>
      <a className={classes.back} href={toCollection(collection, 'ttl-indexes')}>
        <Icon name="back" size={12} /> <Trans>All TTL indexes of {collection}</Trans>
      </a>
      {index === null ? (
        <Dropped collection={collection} name={name} at={history[0]?.at ?? null} by={history[0]?.by ?? ''} />
      ) : (
        <ul className={indexListClasses.indexList}>
          <IndexCard index={index} isWhole onDrop={() => askDrop(true)} />
        </ul>
      )}
      {index !== null && <TableWarnings collection={collection} index={name} />}
      {index !== null && <DefinitionPanel collection={collection} name={name} />}
      {index !== null && <TableStatements collection={collection} index={name} />}
      <PolicyHistory history={history} current={index} onRevert={change => openRevert(change.id)} />
      <RevertDialog
        collection={collection}
        change={reverting}
        current={index}
        onClose={() => openRevert(null)}
      />
      <DropDialog index={isDropping ? index : null} onClose={() => askDrop(false)} />
    </div>
  );
}

function Dropped({
  collection,
  name,
  at,
  by,
}: {
  collection: string;
  name: string;
  at: number | null;
  by: string;
}) {
  return (
    <Note icon="trash" role="status">
      {at === null ? (
        <Trans>
          <b className="t-semi mono">{name}</b> was dropped.
        </Trans>
      ) : (
        <Trans>
          <b className="t-semi mono">{name}</b> was dropped by {by}, <Ago at={at} />.
        </Trans>
      )}{' '}
      <Trans>
        Nothing in {collection} expires by it. Restoring it builds it again; no document expires before the
        build is complete.
      </Trans>
    </Note>
  );
}

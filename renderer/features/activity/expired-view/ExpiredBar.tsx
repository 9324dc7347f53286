import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { useMissing } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { changeQuery } from '../../../components/navigation/location.ts';
import { formatCount } from '../../../i18n/format.ts';
import classes from '../activity.module.css';
import type { ExpiredFilter } from '../expired-model/expired-filter.ts';
import { FilterMenu } from '../filter/FilterMenu.tsx';
import { SpanFilter } from '../filter/SpanFilter.tsx';
import { TextFilter } from '../filter/TextFilter.tsx';
import { useCollectionChoices } from '../filter/use-collection-choices.ts';
import { useIndexChoices } from '../filter/use-index-choices.ts';
import { PurgeList } from '../purge/PurgeList.tsx';

interface ExpiredBarProps {
  filter: ExpiredFilter;
  /** The reason why a purge is not possible; null: it is possible. */
  deniedReason: string | null;
  /** Restores all matching entries; null: they are of several collections. */
  onRestore: (() => void) | null;
  /** Restorable entries that match; null: not all are in memory. */
  restorable: number | null;
  /** The collection of the page, which then has no filter by collection. */
  here: string | null;
  onPurge: () => void;
  children: ReactNode;
}

const CAUSES = [
  { value: 'expired', label: t`expired` },
  { value: 'deleted', label: t`deleted by hand` },
] as const;

/** Filters of the expired list, and actions on all matching entries. */
export function ExpiredBar({
  filter,
  deniedReason,
  onRestore,
  restorable,
  here,
  onPurge,
  children,
}: ExpiredBarProps) {
  const collections = useCollectionChoices();
  const indexes = useIndexChoices(filter.collection);
  const hasPurge = useMissing('purge') === null;
  return (
    <div className="fbar">
      <TextFilter
        label={t`Filter by id`}
        value={filter.text}
        onChange={text => changeQuery({ filter: text === '' ? null : text })}
      />
      {here === null && (
        <FilterMenu
          label={t`Collection`}
          any={t`all`}
          value={filter.collection}
          choices={collections}
          onChange={collection => changeQuery({ collection, index: null })}
        />
      )}
      {filter.collection !== null && (
        <FilterMenu
          label={t`Index`}
          any={t`all`}
          value={filter.index}
          choices={indexes}
          onChange={index => changeQuery({ index })}
        />
      )}
      <FilterMenu
        label={t({ message: 'Left', context: 'filter of documents by why they left' })}
        any={t`all`}
        value={filter.cause}
        choices={CAUSES}
        onChange={cause => changeQuery({ cause })}
      />
      <SpanFilter from={filter.from} to={filter.to} />
      <Button
        className={classes.filterMenu}
        aria-pressed={filter.isRestorable}
        onClick={() => changeQuery({ restorable: filter.isRestorable ? null : 'true' })}
      >{t`Restorable only`}</Button>
      <span className="spacer" />
      {children}
      <PurgeList />
      <Button
        icon="undo"
        disabled={deniedReason !== null || onRestore === null || restorable === 0}
        title={deniedReason ?? (onRestore === null ? t`Filter by a collection first` : undefined)}
        onClick={() => onRestore?.()}
      >
        {restorable === null ? t`Restore all…` : t`Restore all ${formatCount(restorable)}…`}
      </Button>
      {hasPurge && (
        <Button
          variant="ghost"
          icon="trash"
          className="danger-text"
          disabled={deniedReason !== null}
          title={deniedReason ?? t`Erase restorable copies now`}
          onClick={onPurge}
        >{t`Purge…`}</Button>
      )}
    </div>
  );
}

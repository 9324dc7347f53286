import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMissing } from '../../../api.ts';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { usePageCommands } from '../../../components/navigation/page-commands.ts';
import { formatCount } from '../../../i18n/format.ts';
import classes from '../activity.module.css';
import type { ExpiredSelection } from '../expired-model/use-expired-selection.ts';

interface ExpiredSelectionBarProps {
  selection: ExpiredSelection;
  loaded: number;
  /** The collection whose matching entries can be selected as a whole; null: a hint names the required filters. */
  spanOf: string | null;
  isFiltered: boolean;
  deniedReason: string | null;
  onRestore: () => void;
  onPurge: () => void;
}

/** Replaces the filters while entries are selected. */
export function ExpiredSelectionBar({
  selection,
  loaded,
  spanOf,
  isFiltered,
  deniedReason,
  ...on
}: ExpiredSelectionBarProps) {
  const { selected, isSpan } = selection;
  const count = formatCount(selected.size);
  const disabled = deniedReason !== null;
  const hasPurge = useMissing('purge') === null;
  const collection = spanOf ?? '';
  usePageCommands([
    {
      label: isSpan ? t`Restore all selected…` : t`Restore ${count}…`,
      icon: 'undo',
      disabled,
      run: on.onRestore,
    },
    ...(hasPurge
      ? [
          {
            label: isSpan ? t`Purge all selected…` : t`Purge ${count}…`,
            icon: 'trash' as const,
            destroys: true,
            disabled,
            run: on.onPurge,
          },
        ]
      : []),
  ]);
  return (
    <section className="fbar" aria-label={t`Selection`}>
      <span className="chosen" role="status">
        <Icon name="check" size={12} />
        <span className="ell">
          {!isSpan
            ? t`${count} selected`
            : isFiltered
              ? t`All matching in ${collection} selected`
              : t`All in ${collection} selected`}
        </span>
      </span>
      {selected.size < loaded && !isSpan && (
        <Button variant="ghost" small onClick={selection.selectLoaded}>{t`Select all loaded`}</Button>
      )}
      {!isSpan && spanOf !== null && (
        <Button variant="ghost" small onClick={selection.selectSpan}>
          {isFiltered ? (
            <Trans>
              Select all matching in <span className={`ell ${classes.spanName}`}>{collection}</span>
            </Trans>
          ) : (
            <Trans>
              Select all in <span className={`ell ${classes.spanName}`}>{collection}</span>
            </Trans>
          )}
        </Button>
      )}
      {!isSpan && spanOf === null && (
        <span className="t-12 t-3 ell">{t`To select all at once, filter by a collection and not by id.`}</span>
      )}
      <span className="spacer" />
      <Button
        variant="primary"
        icon="undo"
        disabled={disabled}
        title={deniedReason ?? undefined}
        onClick={on.onRestore}
      >
        {isSpan ? t`Restore all…` : t`Restore ${count}…`}
      </Button>
      {hasPurge && (
        <Button
          variant="ghost"
          icon="trash"
          className="danger-text"
          disabled={disabled}
          title={deniedReason ?? undefined}
          onClick={on.onPurge}
        >
          {isSpan ? t`Purge all…` : t`Purge ${count}…`}
        </Button>
      )}
      <IconButton icon="x" label={t`Clear selection`} shortcut="Esc" onClick={selection.clear} />
    </section>
  );
}

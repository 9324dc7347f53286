import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { useRefusal } from '../../../api.ts';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import type { GridSelection } from '../../../components/data-grid/use-grid-selection.ts';
import { formatCount } from '../../../i18n/format.ts';
import classes from '../documents.module.css';
import type { ExpirationEdit } from '../expiration/expiration-edit.ts';
import type { PagerSnapshot } from '../list/pager-snapshot.ts';
import { MatchingBar } from './MatchingBar.tsx';
import { hasMore } from './matching-filter.ts';
import { SelectionBar } from './SelectionBar.tsx';
import type { Matching } from './use-matching.ts';

interface BulkBarProps {
  matching: Matching;
  /** Number of matching documents; null: unknown without reading them. */
  matches: number | null;
  selection: GridSelection<DocumentRecord>;
  snapshot: PagerSnapshot;
  /** Selected documents that expired or were deleted since they were selected. */
  removed: number;
  isSetting: boolean;
  onSetting: (open: boolean) => void;
  onStage: (edit: ExpirationEdit) => void;
  onDelete: () => void;
  onExport: () => void;
  onClear: () => void;
}

/** Actions on selected rows, or on every matching document [E3]. */
export function BulkBar(props: BulkBarProps) {
  const { matching, matches, selection, snapshot, ...rest } = props;
  const refusal = useRefusal('documents.deleteMany');
  if (refusal !== null) return <ReadOnlyBar {...rest} refusal={refusal} size={selection.selected.size} />;
  if (matching.isSelected) return <MatchingBar {...rest} count={matches} onPropose={matching.propose} />;
  return (
    <SelectionBar
      {...rest}
      selected={selection.selected}
      matches={matches}
      loaded={snapshot.loaded().length}
      onSelectLoaded={selection.selectLoaded}
      onSelectMatching={hasMore(snapshot) ? matching.select : null}
    />
  );
}

/** Without write permission a selection can only be exported. */
function ReadOnlyBar({
  refusal,
  size,
  onExport,
  onClear,
}: Pick<BulkBarProps, 'onExport' | 'onClear'> & { refusal: string; size: number }) {
  return (
    <section className={classes.states} aria-label={t`Selection`}>
      <span className="chosen" role="status">
        <Icon name="lock" size={12} />
        <Trans>{formatCount(size)} selected</Trans>
      </span>
      <span className="t-12 t-2 ell" title={refusal}>
        {refusal}
      </span>
      <span className="spacer" />
      <Button variant="ghost" small icon="download" onClick={onExport}>{t`Export…`}</Button>
      <IconButton icon="x" iconSize={12} label={t`Clear selection`} shortcut="Esc" onClick={onClear} />
    </section>
  );
}

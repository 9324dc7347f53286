import { t } from '@lingui/core/macro';

import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { formatCount } from '../../../i18n/format.ts';
import classes from '../documents.module.css';
import { SetExpiration } from '../staging/SetExpiration.tsx';
import type { MatchingChange } from './MatchingDialog.tsx';

interface MatchingBarProps {
  /** Number of matching documents; null: unknown without reading them. */
  count: number | null;
  isSetting: boolean;
  onSetting: (open: boolean) => void;
  onPropose: (change: MatchingChange) => void;
  onExport: () => void;
  onClear: () => void;
}

/** Replaces the selection bar while every matching document is selected [E3]. */
export function MatchingBar({ count, isSetting, onSetting, onPropose, onExport, onClear }: MatchingBarProps) {
  return (
    <section className={classes.states} aria-label={t`Selection`}>
      <span className="chosen" role="status">
        <Icon name="check" size={12} />
        {count === null ? t`All matching selected` : t`All ${formatCount(count)} matching selected`}
      </span>
      <span className="spacer" />
      <SetExpiration
        shortcut="E"
        selected="matching"
        isOpen={isSetting}
        onOpen={onSetting}
        onStage={edit => onPropose({ do: 'set', edit })}
      />
      <Button
        variant="ghost"
        small
        icon="undo"
        onClick={() => onPropose({ do: 'set', edit: { kind: 'clear' } })}
      >{t`Clear expiration`}</Button>
      <Button variant="ghost" small icon="download" onClick={onExport}>{t`Export…`}</Button>
      <Button
        variant="ghost"
        small
        icon="trash"
        className="danger-text"
        onClick={() => onPropose({ do: 'delete' })}
      >{t`Delete…`}</Button>
      <IconButton icon="x" iconSize={12} label={t`Clear selection`} shortcut="Esc" onClick={onClear} />
    </section>
  );
}

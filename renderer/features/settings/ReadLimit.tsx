import { t } from '@lingui/core/macro';
import { Input } from '@mantine/core';
import { useId, useState } from 'react';
import type { MirrorSettingChanges } from '../../../shared/contract/mirror.ts';
import { problemOf } from '../../api.ts';
import { showToast } from '../../components/overlays/toast-store.ts';
import { readCount } from './setting-text.ts';
import classes from './settings.module.css';
import { useChangeMirror } from './use-mirror-settings.ts';

interface ReadLimitProps {
  label: string;
  hint: string;
  /** Null: no limit, an empty field. */
  value: number | null;
  refusal: string | null;
  /** Whether the field may be empty. */
  isOptional: boolean;
  changeTo: (value: number | null) => MirrorSettingChanges;
  /** The state after a change, as a sentence. */
  formatChange: (value: number | null) => string;
}

/** A number that limits the reading of keys; applied by Enter or when the field loses the focus. */
export function ReadLimit(props: ReadLimitProps) {
  const { label, hint, value, refusal, isOptional, changeTo, formatChange } = props;
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const change = useChangeMirror();
  const text = typed ?? String(value ?? '');
  const read = isOptional && text.trim() === '' ? { value: 0 } : readCount(text);
  const problem = 'problem' in read ? read.problem : change.error && problemOf(change.error).message;

  function apply(next: number | null, isUndo = false): void {
    const before = value;
    change.mutate(changeTo(next), {
      onSuccess() {
        setTyped(null);
        showToast({
          kind: 'good',
          title: formatChange(next),
          detail: isUndo ? t`The change was undone.` : t`In effect from now on.`,
          ...(!isUndo && { actions: [{ label: t`Undo`, onSelect: () => apply(before, true) }] }),
        });
      },
    });
  }
  function send(): void {
    if (change.isPending || typed === null || 'problem' in read) return;
    const next = isOptional && read.value === 0 ? null : read.value;
    if (next === value) setTyped(null);
    else apply(next);
  }
  return (
    <div className={classes.setting}>
      <label className={classes.settingLabel} htmlFor={id}>
        {label}
      </label>
      <div className={classes.settingControl}>
        <Input
          id={id}
          value={text}
          placeholder={isOptional ? t`no limit` : ''}
          disabled={refusal !== null}
          error={problem !== null}
          attributes={{ input: { 'aria-describedby': `${id}-means` } }}
          onChange={event => {
            setTyped(event.target.value);
            change.reset();
          }}
          onBlur={send}
          onKeyDown={event => {
            if (event.key === 'Enter') send();
            if (event.key === 'Escape' && typed !== null) {
              setTyped(null);
              event.stopPropagation();
            }
          }}
        />
      </div>
      <div id={`${id}-means`} className={classes.settingMeans}>
        {problem !== null && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
        <p className="hint">{hint}</p>
      </div>
    </div>
  );
}

import { t } from '@lingui/core/macro';
import { Input } from '@mantine/core';
import { useId, useState } from 'react';
import { problemOf } from '../../api.ts';
import { showToast } from '../../components/overlays/toast-store.ts';
import { formatCount } from '../../i18n/format.ts';
import { readCount } from './setting-text.ts';
import classes from './settings.module.css';
import { useChangeMirror } from './use-mirror-settings.ts';

/** Most keys read per second; applied by Enter or when the field loses the focus. Empty or 0: no limit. */
export function ReadRate({
  readsPerSecond,
  refusal,
}: {
  readsPerSecond: number | null;
  refusal: string | null;
}) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const change = useChangeMirror();
  const text = typed ?? String(readsPerSecond ?? '');
  const read = text.trim() === '' ? { value: 0 } : readCount(text);
  const problem = 'problem' in read ? read.problem : change.error && problemOf(change.error).message;

  function apply(next: number | null, isUndo = false): void {
    const before = readsPerSecond;
    change.mutate(
      { readsPerSecond: next },
      {
        onSuccess() {
          setTyped(null);
          showToast({
            kind: 'good',
            title:
              next === null
                ? t`Keys are read without a limit.`
                : t`At most ${formatCount(next)} keys a second are read.`,
            detail: isUndo ? t`The change was undone.` : t`In effect from now on.`,
            ...(!isUndo && { actions: [{ label: t`Undo`, onSelect: () => apply(before, true) }] }),
          });
        },
      },
    );
  }
  function send(): void {
    if (change.isPending || typed === null || 'problem' in read) return;
    const next = read.value === 0 ? null : read.value;
    if (next === readsPerSecond) setTyped(null);
    else apply(next);
  }
  return (
    <div className={classes.setting}>
      <label className={classes.settingLabel} htmlFor={id}>{t`Keys per second`}</label>
      <div className={classes.settingControl}>
        <Input
          id={id}
          value={text}
          placeholder={t`no limit`}
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
        <p className="hint">{t`Reading also slows down by itself when the server answers more slowly. Empty: no other limit.`}</p>
      </div>
    </div>
  );
}

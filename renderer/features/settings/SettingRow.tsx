import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Input } from '@mantine/core';
import { type ReactNode, useId, useRef, useState } from 'react';
import { DEFAULT_SETTINGS } from '../../../shared/contract/settings.ts';
import { Declined, problemOf } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { showToast } from '../../components/overlays/toast-store.ts';
import type { SettingField } from './setting-fields.ts';
import { formatSetting, formatSettingInSentence, readSetting, settingEcho } from './setting-text.ts';
import classes from './settings.module.css';
import { useChangeSetting } from './use-settings.ts';

interface SettingRowProps {
  field: SettingField;
  value: number;
  /** The reason why it cannot be changed; null: it can. */
  refusal: string | null;
  /** Text below the field: the value in use. */
  children?: ReactNode;
}

/** One setting, applied by Enter or when the field loses the focus. */
export function SettingRow({ field, value, refusal, children }: SettingRowProps) {
  const { name, label, kind, means, zero } = field;
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const change = useChangeSetting();
  const standard = DEFAULT_SETTINGS[name];
  const read = typed === null ? { value } : readSetting(name, kind, typed);
  const problem = 'problem' in read ? read.problem : refused;
  // A problem is not shown while typing, only after Enter or when the field has lost the focus.
  const [isLeft, setLeft] = useState(false);
  const shownProblem = refused ?? (isLeft ? problem : null);

  function apply(next: number, isUndo = false): void {
    const before = value;
    setRefused(null);
    change.mutate(
      { name, value: next },
      {
        onSuccess: () => {
          setTyped(null);
          setLeft(false);
          showToast({
            kind: 'good',
            title: `${label}: ${formatSettingInSentence(next, kind, zero)}`,
            detail: isUndo
              ? t`The change was undone.`
              : t`Was ${formatSettingInSentence(before, kind, zero)}. In effect from now on.`,
            ...(!isUndo && { actions: [{ label: t`Undo`, onSelect: () => apply(before, true) }] }),
          });
        },
        onError: error => {
          // The change was declined: losing the focus must not apply it again.
          if (error instanceof Declined) setTyped(null);
          else setRefused(problemOf(error).message);
        },
      },
    );
  }
  function send(): void {
    setLeft(true);
    if (change.isPending || typed === null || 'problem' in read) return;
    if (read.value === value) setTyped(null);
    else apply(read.value);
  }
  return (
    <div className={classes.setting}>
      <label className={classes.settingLabel} htmlFor={id}>
        {label}
      </label>
      <div className={classes.settingControl}>
        <Input
          id={id}
          ref={input}
          value={typed ?? formatSetting(value, kind)}
          disabled={refusal !== null}
          error={shownProblem !== null}
          // A property set here would be replaced by Mantine's, which describes a wrapper.
          attributes={{ input: { 'aria-describedby': `${id}-means` } }}
          onChange={event => {
            setTyped(event.target.value);
            setRefused(null);
            setLeft(false);
          }}
          onBlur={send}
          onKeyDown={event => {
            if (event.key === 'Enter') send();
            if (event.key === 'Escape' && typed !== null) {
              setTyped(null);
              setRefused(null);
              setLeft(false);
              event.stopPropagation();
            }
          }}
        />
        <span className={`t-12 t-3 grow ${classes.settingEcho}`}>
          {'value' in read && settingEcho(read.value, kind, field)}
        </span>
        {value !== standard && refusal === null && (
          <Button
            small
            variant="ghost"
            busy={change.isPending}
            aria-label={t`Reset ${label} to ${formatSettingInSentence(standard, kind, zero)}`}
            onClick={() => {
              setTyped(null);
              apply(standard);
              input.current?.focus();
            }}
          >{t`Reset`}</Button>
        )}
      </div>
      <div id={`${id}-means`} className={classes.settingMeans}>
        {shownProblem !== null && (
          <p className="problem" role="alert">
            <Trans>Not changed. {shownProblem}</Trans>
          </p>
        )}
        <p className="hint">
          {means}
          {zero !== undefined && standard !== 0 && ` 0: ${zero}.`}{' '}
          {standard === 0 && zero !== undefined
            ? t`Default: ${formatSetting(standard, kind)}, ${zero}.`
            : t`Default: ${formatSetting(standard, kind)}.`}
        </p>
        {children}
      </div>
    </div>
  );
}

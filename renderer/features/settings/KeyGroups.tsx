import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { KeyGroupingSetting } from '../../../shared/contract/mirror.ts';
import { problemOf } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Segmented } from '../../components/controls/Segmented.tsx';
import { showToast } from '../../components/overlays/toast-store.ts';
import classes from './settings.module.css';
import { useChangeMirror } from './use-mirror-settings.ts';

type Pattern = KeyGroupingSetting['patterns'][number] & { row: number };

const SEPARATION = [
  { value: 'recognised', label: t`Recognised` },
  { value: 'chosen', label: t`Chosen` },
  { value: 'none', label: t`None` },
] as const;
type Separation = (typeof SEPARATION)[number]['value'];

function separationOf({ separator }: KeyGroupingSetting): Separation {
  if (separator === null) return 'recognised';
  return separator === '' ? 'none' : 'chosen';
}

/** Grouping of keys into collections: by a separator, and by named patterns. All keys are read again after a change. */
export function KeyGroups({ grouping, refusal }: { grouping: KeyGroupingSetting; refusal: string | null }) {
  const [separation, setSeparation] = useState(separationOf(grouping));
  const [separator, setSeparator] = useState(grouping.separator ?? ':');
  const [patterns, setPatterns] = useState<readonly Pattern[]>(
    grouping.patterns.map((pattern, row) => ({ ...pattern, row })),
  );
  const change = useChangeMirror();
  const next: KeyGroupingSetting = {
    separator: { recognised: null, none: '', chosen: separator }[separation],
    patterns: patterns.map(({ name, pattern }) => ({ name: name.trim(), pattern })),
  };
  const isIncomplete =
    (separation === 'chosen' && separator === '') ||
    next.patterns.some(({ name, pattern }) => name === '' || pattern === '');
  const isChanged = JSON.stringify(next) !== JSON.stringify(grouping);
  const edit = (row: number, part: Partial<Pattern>) =>
    setPatterns(all => all.map(one => (one.row === row ? { ...one, ...part } : one)));

  function apply(wanted: KeyGroupingSetting, before: KeyGroupingSetting | null): void {
    change.mutate(
      { grouping: wanted },
      {
        onSuccess: () =>
          showToast({
            kind: 'good',
            title: t`The grouping of keys was changed.`,
            detail: t`All keys are scanned again; until that ends, the former groups still show counts.`,
            ...(before !== null && { actions: [{ label: t`Undo`, onSelect: () => apply(before, null) }] }),
          }),
      },
    );
  }

  return (
    <section className={classes.group} aria-label={t`Prefixes`}>
      <h2 className="t-semi">{t`Prefixes`}</h2>
      <p className={`t-2 ${classes.about}`}>
        <Trans>
          The text of a key before the separator is its prefix. A pattern groups keys under a name of its own;
          the first that matches applies.
        </Trans>
      </p>
      <form
        aria-label={t`Prefixes`}
        onSubmit={event => {
          event.preventDefault();
          if (!isIncomplete && isChanged) apply(next, grouping);
        }}
      >
        <div className={classes.setting}>
          <span className={classes.settingLabel}>{t`Separator`}</span>
          <div className={classes.settingControl}>
            <Segmented
              label={t`Separator`}
              value={separation}
              segments={SEPARATION}
              onChange={setSeparation}
            />
            {separation === 'chosen' && (
              <TextInput
                classNames={{ input: 'mono' }}
                aria-label={t`Separator text`}
                value={separator}
                maxLength={8}
                onChange={event => setSeparator(event.target.value)}
              />
            )}
          </div>
          <p className={`hint ${classes.settingMeans}`}>
            {separation === 'recognised' && t`The most frequent separator in a sample of the keys.`}
            {separation === 'none' && t`All keys that match no pattern are in one group.`}
          </p>
        </div>
        {patterns.map(({ row, name, pattern }) => (
          <div key={row} className={classes.line}>
            <TextInput
              classNames={{ input: 'mono' }}
              aria-label={t`Pattern`}
              placeholder={'session:*:cart'}
              value={pattern}
              maxLength={512}
              onChange={event => edit(row, { pattern: event.target.value })}
            />
            <TextInput
              className={classes.short}
              aria-label={t`Name of the group`}
              placeholder={t`Name`}
              value={name}
              maxLength={512}
              onChange={event => edit(row, { name: event.target.value })}
            />
            <Button
              variant="ghost"
              onClick={() => setPatterns(all => all.filter(one => one.row !== row))}
            >{t`Remove`}</Button>
          </div>
        ))}
        <div className={classes.line}>
          <Button
            icon="plus"
            disabled={refusal !== null || patterns.length >= 100}
            onClick={() =>
              setPatterns(all => [...all, { name: '', pattern: '', row: (all.at(-1)?.row ?? -1) + 1 }])
            }
          >{t`Add a pattern`}</Button>
          <Button
            type="submit"
            variant="primary"
            busy={change.isPending}
            disabled={refusal !== null || isIncomplete || !isChanged}
          >{t`Apply and read again`}</Button>
        </div>
        {change.error !== null && (
          <p className="problem" role="alert">
            {problemOf(change.error).message}
          </p>
        )}
      </form>
    </section>
  );
}

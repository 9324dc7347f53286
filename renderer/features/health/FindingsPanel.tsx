import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { useRef } from 'react';
import { problemOf, useLive } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import { usePageCommands } from '../../components/navigation/page-commands.ts';
import { Note } from '../../components/status/Note.tsx';
import { useSlow } from '../../components/status/use-slow.ts';
import { dismissFinding, showAllFindings } from './dismissed-store.ts';
import { FindingCard } from './FindingCard.tsx';
import { findingsAbout } from './findings/all.ts';
import { formatNothingFound } from './findings/format-finding.ts';
import classes from './findings.module.css';
import { useFindings, useFindingsWatch, WHILE_READ_MS } from './use-findings.ts';

/** All findings, most urgent first, each with its fixes. */
export function FindingsPanel({ collection }: { collection: string | null }) {
  useFindingsWatch(WHILE_READ_MS);
  const { shown, dismissed, error, isChecking, checkAgain } = useFindings();
  const list = useRef<HTMLElement>(null);
  usePageCommands([{ label: t`Check findings again`, icon: 'health', run: checkAgain }]);
  const store = useLive(state => state.store?.file ?? '');
  const reaper = useLive(state => state.reaper?.state);
  const slow = useSlow(isChecking);
  const found = shown === undefined ? undefined : findingsAbout(shown, collection);
  const hidden = findingsAbout(dismissed, collection).length;
  return (
    <section className={`panel ${classes.findings}`} aria-label={t`Findings`}>
      <div className="panel-h line">
        <h2>{t`Findings`}</h2>
        <span className="t-12 t-3" aria-live="polite">
          {found === undefined
            ? slow
              ? t`checking…`
              : ''
            : found.length === 0
              ? t`none`
              : t`${found.length}, most urgent first`}
        </span>
        <span className="spacer" />
        <Button variant="ghost" small busy={slow} onClick={checkAgain}>{t`Check again`}</Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section ref={list} className={classes.findingsList} tabIndex={0} aria-label={t`List of findings`}>
        {error !== null && (
          <div className={classes.findingsNone}>
            <Note tone="bad">
              <Trans>Not checked. {problemOf(error).message}</Trans>
            </Note>
          </div>
        )}
        {found?.length === 0 && error === null && (
          <p className={`${classes.findingsNone} t-2 wrap`}>
            <Icon name="check" className="c-ok" /> {formatNothingFound(collection, reaper)}
          </p>
        )}
        <ul>
          {found?.map(finding => (
            <FindingCard
              key={finding.id}
              finding={finding}
              onDismiss={() => {
                dismissFinding(store, finding);
                // The button that had the focus was removed.
                list.current?.focus();
              }}
              onDone={checkAgain}
            />
          ))}
        </ul>
        {hidden > 0 && (
          <p className={`${classes.findingsNone} t-12 t-3`}>
            <Trans>{hidden} dismissed.</Trans>{' '}
            <button type="button" className="link" onClick={() => showAllFindings(store)}>
              <Trans>
                Show <Plural value={hidden} one="it" other="them" />
              </Trans>
            </button>
          </p>
        )}
      </section>
    </section>
  );
}

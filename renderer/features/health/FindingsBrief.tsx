import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { problemOf, useLive } from '../../api.ts';
import { Icon } from '../../components/controls/Icon.tsx';
import { toHealth } from '../../components/navigation/location.ts';
import { useSlow } from '../../components/status/use-slow.ts';
import { FindingIcon, SEVERITY_LABEL } from './FindingCard.tsx';
import { findingsAbout } from './findings/all.ts';
import type { Finding } from './findings/finding.ts';
import { formatNothingFound } from './findings/format-finding.ts';
import classes from './findings.module.css';
import { useFindings, useFindingsWatch, WHILE_READ_MS } from './use-findings.ts';

const ROWS = 5;

/** The most urgent findings, with links to Health. */
export function FindingsBrief() {
  useFindingsWatch(WHILE_READ_MS);
  const { shown, error } = useFindings();
  const reaper = useLive(state => state.reaper?.state);
  const slow = useSlow(shown === undefined && error === null);
  return (
    <section className={`panel ${classes.findings}`} aria-label={t`Findings`}>
      <div className="panel-h line">
        <h2>{t`Findings`}</h2>
        <span className="t-12 t-3">
          {shown !== undefined && shown.length > ROWS ? t`${ROWS} of ${shown.length}` : (shown?.length ?? '')}
        </span>
        <span className="spacer" />
        <a className="t-12" href={toHealth()}>{t`Health`}</a>
      </div>
      {shown === undefined && error !== null && (
        <p className={`${classes.findingsNone} t-2 wrap`}>
          <Trans>Not checked. {problemOf(error).message}</Trans>
        </p>
      )}
      {slow && <p className={`${classes.findingsNone} t-3`}>{t`Checking…`}</p>}
      {shown?.length === 0 && (
        <p className={`${classes.findingsNone} t-2`}>
          <Icon name="check" className="c-ok" /> {formatNothingFound(null, reaper)}
        </p>
      )}
      <ul className={classes.brief}>
        {shown?.slice(0, ROWS).map(finding => (
          <li key={finding.id}>
            <BriefRow finding={finding} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function BriefRow({ finding }: { finding: Finding }) {
  const { title, sentence, collection, severity } = finding;
  return (
    <a
      className={classes.briefRow}
      href={toHealth(collection === null ? {} : { collection })}
      title={`${title}. ${sentence}`}
    >
      <FindingIcon finding={finding} />
      <span className="ell t-semi">
        <span className="visually-hidden">{SEVERITY_LABEL[severity]}: </span>
        {title}
      </span>
      <Icon name="right" size={14} className="t-3" />
      <span className={`${classes.said} wrap t-12 t-2`}>{sentence}</span>
    </a>
  );
}

/** The findings of one collection in one line above its timeline; renders nothing if there are none. */
export function HealthStrip({ collection }: { collection: string }) {
  const { shown } = useFindings();
  const found = findingsAbout(shown ?? [], collection).filter(finding => finding.collection === collection);
  if (found.length === 0) return null;
  return (
    <nav className={classes.healthStrip} aria-label={t`Health of ${collection}`}>
      <a className="t-semi nowrap" href={toHealth({ collection })}>
        <Icon name="health" size={14} /> <Trans>Health</Trans>
      </a>
      {found.slice(0, 3).map(finding => (
        <a
          key={finding.id}
          className={classes.stripItem}
          href={toHealth({ collection })}
          title={finding.sentence}
        >
          <FindingIcon finding={finding} />
          <span className="visually-hidden">{SEVERITY_LABEL[finding.severity]}: </span>
          <span className="ell">{finding.title}</span>
        </a>
      ))}
      {found.length > 3 && (
        <span className="t-3 nowrap">
          <Trans>and {found.length - 3} more</Trans>
        </span>
      )}
    </nav>
  );
}

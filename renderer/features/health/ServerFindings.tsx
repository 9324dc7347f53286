import { t } from '@lingui/core/macro';
import { useLive, useLiveQuery } from '../../api.ts';
import { Icon } from '../../components/controls/Icon.tsx';
import { toSettings } from '../../components/navigation/location.ts';
import { formatDrift } from './findings/policy-drift.ts';
import classes from './findings.module.css';
import { readPolicyDrift } from './read-facts.ts';

const COMPARED_EVERY_MS = 10_000;

/** Findings about the configuration of a remote server, as its engine reports them. */
export function ServerFindings() {
  const found = useLive(({ remote }) => remote?.findings);
  const { data: diff } = useLiveQuery(
    { queryKey: ['policy', 'drift'], queryFn: readPolicyDrift },
    { collection: null, everyMs: COMPARED_EVERY_MS },
  );
  if (found === undefined) return null;
  const differs = diff != null && diff.driftCount > 0;
  const count = found.length + (differs ? 1 : 0);
  return (
    <section className={`panel ${classes.findings}`} aria-label={t`Findings`}>
      <div className="panel-h line">
        <h2>{t`Findings`}</h2>
        <span className="t-12 t-3">{count === 0 ? t`none` : count}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={classes.findingsList} tabIndex={0} aria-label={t`List of findings`}>
        {count === 0 && (
          <p className={`${classes.findingsNone} t-2`}>
            <Icon name="check" className="c-ok" /> {t`Nothing in the server’s configuration delays expiry.`}
          </p>
        )}
        <ul className={classes.ofServer}>
          {differs && (
            <li>
              <Icon name="overdue" className="c-overdue" />
              <span className="wrap">
                {formatDrift(diff)} <a href={toSettings('policy')}>{t`Show…`}</a>
              </span>
            </li>
          )}
          {found.map(({ id, severity, sentence, advice, remedy }) => (
            <li key={id}>
              <Icon
                name={severity === 'warning' ? 'overdue' : 'info'}
                className={severity === 'warning' ? 'c-overdue' : 't-3'}
              />
              <span className="wrap">
                {sentence} {advice !== null && <span className="t-2">{advice}</span>}{' '}
                {remedy === 'notifications' && <a href={toSettings('reading')}>{t`Turn on…`}</a>}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </section>
  );
}

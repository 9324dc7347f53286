import { t } from '@lingui/core/macro';
import { useLive } from '../../api.ts';
import { Icon } from '../../components/controls/Icon.tsx';
import { toSettings } from '../../components/navigation/location.ts';
import classes from './findings.module.css';

/** Findings about the configuration of a remote server, as its engine reports them. */
export function ServerFindings() {
  const found = useLive(({ remote }) => remote?.findings);
  if (found === undefined) return null;
  return (
    <section className={`panel ${classes.findings}`} aria-label={t`Findings`}>
      <div className="panel-h line">
        <h2>{t`Findings`}</h2>
        <span className="t-12 t-3">{found.length === 0 ? t`none` : found.length}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={classes.findingsList} tabIndex={0} aria-label={t`List of findings`}>
        {found.length === 0 && (
          <p className={`${classes.findingsNone} t-2`}>
            <Icon name="check" className="c-ok" /> {t`Nothing in the server’s configuration delays expiry.`}
          </p>
        )}
        <ul className={classes.ofServer}>
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

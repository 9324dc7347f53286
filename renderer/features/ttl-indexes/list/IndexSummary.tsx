import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { Swatch } from '../../../components/figures/Swatch.tsx';
import { toCollection, toIndex } from '../../../components/navigation/location.ts';
import { formatCount } from '../../../i18n/format.ts';
import { withSmallInitial } from '../../../i18n/sentence.ts';
import { actionVerb, formatRetention } from '../format/format-action.ts';
import { formatLimits, formatSchedule } from '../format/format-index.ts';
import { RuleSummary } from '../format/RuleSummary.tsx';
import { IndexHealth } from './IndexHealth.tsx';
import classes from './index-summary.module.css';
import { useIndexes } from './use-indexes.ts';

interface IndexSummaryProps {
  collection: string;
  /** The colour of each index on the timeline above. */
  colourOf: (index: string) => string | null;
}

/** The indexes of a collection in short, below its timeline. */
export function IndexSummary({ collection, colourOf }: IndexSummaryProps) {
  const { data: indexes } = useIndexes(collection);
  return (
    <section className={`panel ${classes.indexBrief}`} aria-label={t`TTL indexes in brief`}>
      <div className="panel-h line">
        <h2>{t`TTL indexes`}</h2>
        <span className="t-12 t-3 ell">
          {indexes !== undefined && indexes.length > 1
            ? t`The earliest deadline wins. An expiration set by hand outranks all of them.`
            : t`An expiration set by hand outranks it.`}
        </span>
        <span className="spacer" />
        <a className="t-12 nowrap" href={toCollection(collection, 'ttl-indexes')}>{t`Manage`}</a>
      </div>
      {indexes?.length === 0 && <p className="none t-3">{t`None: only expirations set by hand.`}</p>}
      <ul>
        {indexes?.map(index => (
          <Row key={index.name} index={index} colour={colourOf(index.name)} />
        ))}
      </ul>
    </section>
  );
}

function Row({ index, colour }: { index: TtlIndex; colour: string | null }) {
  const { name, collection, source, onExpire, schedule, retention, dueNextHour, never } = index;
  const limits = formatLimits(index.limits);
  return (
    <li>
      <Swatch colour={colour} />
      <div className="first">
        <a className="t-semi ell" href={toIndex(collection, name)} title={name}>
          {name}
        </a>
        <span className="t-2 ell">
          <RuleSummary source={source} />
        </span>
        <span className="spacer" />
        <span className={classes.fares}>
          <IndexHealth index={index} />
        </span>
      </div>
      <div className="second t-12 t-3">
        <span>{withSmallInitial(actionVerb(onExpire))}</span>
        <span>{withSmallInitial(formatSchedule(schedule))}</span>
        {limits !== null && <span>{limits}</span>}
        {retention !== null && <span>{formatRetention(retention)}</span>}
        <span>
          <Trans>
            due next hour <b>{formatCount(dueNextHour)}</b>
          </Trans>
        </span>
        <span>
          <Trans>
            never <b>{formatCount(never.count)}</b>
          </Trans>
        </span>
      </div>
    </li>
  );
}

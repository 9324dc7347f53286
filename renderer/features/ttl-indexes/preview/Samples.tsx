import { plural, t } from '@lingui/core/macro';
import { Fragment } from 'react';
import type { Preview } from '../../../../shared/contract/ttl-indexes.ts';
import { stringifyJson } from '../../../../shared/model/json/json.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { useWords } from '../../../api.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { useZone } from '../../../components/time/clock.ts';
import { fullInstant } from '../../../components/time/full-instant.ts';
import { formatInstant, formatInstantInFull, formatRelative } from '../../../i18n/format.ts';
import classes from './effect.module.css';
import { sampleReason } from './preview-figures.ts';

interface SamplesProps {
  preview: Preview;
  /** The source: the path of a field, or a description. */
  reads: string;
}

/** Documents of the collection, with the deadline each would get. */
export function Samples({ preview, reads }: SamplesProps) {
  const [zone] = useZone();
  const isRow = useWords()?.record === 'row';
  if (preview.samples.length === 0) return null;
  return (
    <section>
      <h3>
        {isRow
          ? plural(preview.samples.length, {
              one: 'One of your rows',
              2: 'Two of your rows',
              3: 'Three of your rows',
              other: '# of your rows',
            })
          : plural(preview.samples.length, {
              one: 'One of your documents',
              2: 'Two of your documents',
              3: 'Three of your documents',
              other: '# of your documents',
            })}
      </h3>
      {preview.samples.map(sample => (
        <div className={classes.sample} key={sample._id}>
          <span className="mono ell" title={visibleText(sample._id)}>
            {visibleText(sample._id)}
          </span>
          <span className="mono t-2 ell">
            {sample.reads.map(({ field, value }, i) => (
              <Fragment key={field}>
                {i > 0 && ', '}
                <span className="j-k">{visibleText(field)}</span>:{' '}
                {value === undefined ? t`missing` : stringifyJson(value)}
              </Fragment>
            ))}
          </span>
          {sample.referenceAt !== null && sample.reads.length > 0 && (
            <span className={`${classes.readAs} t-3 ell`}>
              = {formatInstantInFull(sample.referenceAt, zone)}
            </span>
          )}
          <SampleDeadline sample={sample} at={preview.at} field={reads} />
        </div>
      ))}
    </section>
  );
}

interface SampleDeadlineProps {
  sample: Preview['samples'][number];
  /** Instant of the count, to which deadlines are relative. */
  at: number;
  field: string;
}

function SampleDeadline({ sample: { deadlineAt, reason }, at, field }: SampleDeadlineProps) {
  const [zone] = useZone();
  if (deadlineAt === null) {
    return (
      <span className="t-2">
        <Icon name="never" size={12} /> {reason === null ? t`never` : sampleReason(reason, field)}
      </span>
    );
  }
  const isDue = deadlineAt <= at;
  const when = formatInstant(deadlineAt, at, zone);
  return (
    <time
      className={isDue ? 'c-overdue' : ''}
      dateTime={new Date(deadlineAt).toISOString()}
      {...fullInstant(deadlineAt, zone)}
    >
      {isDue ? t`at once, was ${when}` : t`${formatRelative(deadlineAt, at)}, ${when}`}
    </time>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { TtlSource } from '../../../../shared/model/ttl-index.ts';
import { formatLongDuration } from '../../../i18n/format.ts';
import { formatReading } from '../../../i18n/format-source.ts';

/**
 * The rule for the deadline: `90 days after ts`, `at the time of doc.ttl + 1`; with formats, also how they are read.
 */
export function RuleSummary({ source }: { source: TtlSource }) {
  const reading = formatReading(source);
  return (
    <>
      <Rule source={source} />
      {reading !== null && (
        <span className="t-2">
          <Trans>, {reading}</Trans>
        </span>
      )}
    </>
  );
}

/** `90 days after ts`, `at ts`. */
function Life({ seconds, from }: { seconds: number; from: ReactNode }) {
  return seconds === 0 ? (
    <Trans>
      <b>at</b> {from}
    </Trans>
  ) : (
    <Trans>
      <b>{formatLongDuration(seconds)} after</b> {from}
    </Trans>
  );
}

function Rule({ source }: { source: TtlSource }) {
  switch (source.kind) {
    case 'field':
      if (source.expireAfterField !== undefined) {
        return (
          <Trans>
            <b>the duration in</b> <span className="mono">{source.expireAfterField}</span> <b>after</b>{' '}
            <span className="mono">{source.field}</span>
          </Trans>
        );
      }
      return <Life seconds={source.expireAfter} from={<span className="mono">{source.field}</span>} />;
    case 'lastModified':
      return <Life seconds={source.expireAfter} from={t`the last write`} />;
    case 'expression':
      return (
        <Trans>
          at the time of <code className="mono wrap">{source.expression}</code>
        </Trans>
      );
  }
}

import { formatReading, type TtlSource } from '../../../../shared/model/ttl-index.ts';
import { formatLife } from './format-index.ts';

/** The deadline by an index: `90 days after ts`, `at the time of doc.ttl + 1`; with formats how they are read. */
export function RuleSummary({ source }: { source: TtlSource }) {
  const reading = formatReading(source);
  return (
    <>
      <Rule source={source} />
      {reading !== null && <span className="t-2">, {reading}</span>}
    </>
  );
}

function Rule({ source }: { source: TtlSource }) {
  switch (source.kind) {
    case 'field':
      if (source.expireAfterField !== undefined) {
        return (
          <>
            <b>the duration in</b> <span className="mono">{source.expireAfterField}</span> <b>after</b>{' '}
            <span className="mono">{source.field}</span>
          </>
        );
      }
      return (
        <>
          <b>{formatLife(source.expireAfter)}</b> <span className="mono">{source.field}</span>
        </>
      );
    case 'lastModified':
      return (
        <>
          <b>{formatLife(source.expireAfter)}</b> the last write
        </>
      );
    case 'expression':
      return (
        <>
          at the time of <code className="mono wrap">{source.expression}</code>
        </>
      );
  }
}

import type { TtlSource } from '../../../../shared/model/ttl-index.ts';
import { formatLife } from './format-index.ts';

/** The deadline by an index: `90 days after ts`, `at the time of doc.ttl + 1`. */
export function RuleSummary({ source }: { source: TtlSource }) {
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

import type { NeverReasonCount } from '../../../../shared/contract/ttl-indexes.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { toCollection } from '../../../components/navigation/location.ts';
import { reasonText } from './preview-figures.ts';

interface NeverReasonsProps {
  reasons: readonly NeverReasonCount[];
  field: string;
  collection: string;
  /** Null before the index exists: then there is no list to open yet, and examples are named instead. */
  index: string | null;
}

/** Why documents never expire, each reason with its count and the way to its documents [X1]. */
export function NeverReasons({ reasons, field, collection, index }: NeverReasonsProps) {
  return (
    <ul className="reasons t-12">
      {reasons.map(found => (
        <li key={found.reason}>
          {index === null ? (
            <span title={`For example ${found.examples.map(visibleText).join(', ')}`}>
              {reasonText(found, field)}
            </span>
          ) : (
            <a href={toCollection(collection, 'documents', { index, reason: found.reason })}>
              {reasonText(found, field)}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

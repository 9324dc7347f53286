import { t } from '@lingui/core/macro';
import type { NeverReasonCount } from '../../../../shared/contract/ttl-indexes.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { toCollection } from '../../../components/navigation/location.ts';
import { formatList } from '../../../i18n/sentence.ts';
import classes from './effect.module.css';
import { formatReason } from './preview-figures.ts';

interface NeverReasonsProps {
  reasons: readonly NeverReasonCount[];
  field: string;
  collection: string;
  /** Null before the index exists: examples are shown instead of links to a list. */
  index: string | null;
}

/** Reasons why documents never expire, each with its count and a link to its documents [X1]. */
export function NeverReasons({ reasons, field, collection, index }: NeverReasonsProps) {
  return (
    <ul className={`${classes.reasons} t-12`}>
      {reasons.map(found => (
        <li key={found.reason}>
          {index === null ? (
            <span title={t`For example ${formatList(found.examples.map(visibleText))}`}>
              {formatReason(found, field)}
            </span>
          ) : (
            <a href={toCollection(collection, 'documents', { index, reason: found.reason })}>
              {formatReason(found, field)}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

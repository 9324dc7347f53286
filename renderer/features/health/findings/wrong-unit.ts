import { t } from '@lingui/core/macro';
import { toCollection, toCreateIndex } from '../../../components/navigation/location.ts';
import { formatCount } from '../../../i18n/format.ts';
import type { Finder, Fix } from './finding.ts';
import { formatPercent } from './format-finding.ts';

const UNIT_LABEL = { seconds: t`seconds`, milliseconds: t`milliseconds` } as const;

/** Numeric dates that are only plausible in the other unit [D4]. */
export const wrongUnit: Finder = ({ indexes }) =>
  [...indexes.values()].flat().flatMap(({ collection, name, source, never, documents, state }) => {
    const found = never.reasons.find(({ reason }) => reason === 'wrong unit suspected');
    if (found === undefined || found.count === 0 || source.kind !== 'field' || state === 'building')
      return [];
    const other = source.unit === 'seconds' ? 'milliseconds' : 'seconds';
    const share = found.count / (found.count + documents);
    // Another unit for the index would misread the other values, so a few wrong values are corrected in the documents.
    const isIndexWrong = share > 0.5;
    const preview: Fix = {
      label: t`Preview in ${UNIT_LABEL[other]}`,
      href: toCreateIndex(collection, {
        field: source.field,
        unit: other,
        ...(source.expireAfterField === undefined
          ? { expireAfter: source.expireAfter }
          : { expireAfterField: source.expireAfterField }),
      }),
    };
    const list: Fix = {
      label: t`List them`,
      href: toCollection(collection, 'documents', { index: name, reason: found.reason }),
    };
    return [
      {
        id: `unit/${collection}/${name}`,
        severity: isIndexWrong ? ('urgent' as const) : ('warning' as const),
        icon: 'warn' as const,
        collection,
        title: t`Wrong unit suspected in ${collection}`,
        sentence: t`${name} reads ${UNIT_LABEL[source.unit]}; ${formatCount(found.count)} values of ${source.field}, ${formatPercent(share)}, are only plausible in ${UNIT_LABEL[other]}: the index gives them no deadline.`,
        todo: isIndexWrong ? t`Preview an index in ${UNIT_LABEL[other]}.` : t`Correct these values.`,
        fixes: isIndexWrong ? [preview, list] : [list],
        weight: found.count,
      },
    ];
  });

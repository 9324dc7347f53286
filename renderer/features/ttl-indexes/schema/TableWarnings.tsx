import { plural, t } from '@lingui/core/macro';
import type { TableReport } from '../../../../shared/contract/ttl-indexes.ts';
import { Note } from '../../../components/status/Note.tsx';
import { useTableReport } from './use-table-report.ts';

/** Shows the effects of removing rows of a table: foreign keys, triggers, replicas; and an index that is missing. */
export function TableWarnings({ collection, index }: { collection: string; index?: string }) {
  const report = useTableReport(collection, index);
  if (report === null) return null;
  return (
    <>
      {warningsOf(report).map(text => (
        <Note key={text} tone="warn">
          <span className="wrap">{text}</span>
        </Note>
      ))}
    </>
  );
}

function warningsOf({ referringKeys, triggers, publications, hasNoReplicaIdentity, index }: TableReport) {
  const rowTriggers = triggers.map(({ name }) => name).join(', ');
  return [
    ...referringKeys.map(formatKey),
    ...(triggers.length > 0 ? [t`Triggers run for removed rows: ${rowTriggers}.`] : []),
    ...(hasNoReplicaIdentity
      ? [t`Removal fails: the table is published, and nothing identifies its rows. Set REPLICA IDENTITY.`]
      : publications.length > 0
        ? [t`Removals are published to logical replicas: ${publications.join(', ')}.`]
        : []),
    ...(index !== null && index.indexAdvice !== null
      ? [
          t`No index gives the deadlines in order, so that the whole table is read. Create one: ${index.indexAdvice}`,
        ]
      : []),
  ];
}

function formatKey({
  from,
  columns,
  onDelete,
  isIndexed,
  rows,
}: TableReport['referringKeys'][number]): string {
  const key = `${from} (${columns.join(', ')})`;
  const blocks = onDelete === 'NO ACTION' || onDelete === 'RESTRICT';
  const effect = blocks
    ? t`${key} refers to this table, and blocks the removal of rows that it refers to.`
    : onDelete === 'CASCADE'
      ? t`${key} refers to this table: its rows are deleted together with those that they refer to.`
      : t`${key} refers to this table: its columns are set to another value when rows are removed.`;
  const counted =
    rows === null
      ? ''
      : t`${plural(rows, { one: '# row refers', other: '# rows refer' })} to what is due now.`;
  const slow = isIndexed ? '' : t`It has no index on these columns, and is read for every removed row.`;
  return [effect, counted, slow].filter(part => part !== '').join(' ');
}

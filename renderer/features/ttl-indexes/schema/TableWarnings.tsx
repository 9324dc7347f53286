import { plural, t } from '@lingui/core/macro';
import type { TableReport } from '../../../../shared/contract/ttl-indexes.ts';
import type { TtlIndexDefinition } from '../../../../shared/model/ttl-index.ts';
import { Note } from '../../../components/status/Note.tsx';
import { MissingTableIndex } from './MissingTableIndex.tsx';
import { useProposedReport, useTableReport } from './use-table-report.ts';

type Source = TtlIndexDefinition['source'];

/** Shows the effects of removing rows of a table: foreign keys, triggers, replicas; and an index that is missing. */
export function TableWarnings({ collection, index }: { collection: string; index: string }) {
  const report = useTableReport(collection, index);
  return report === null ? null : <Warnings report={report} of={{ index }} />;
}

/** Shows the same before a TTL index with this source is created; null: the source cannot be read yet. */
export function ProposalWarnings({ collection, source }: { collection: string; source: Source | null }) {
  const report = useProposedReport(collection, source);
  return report === null || source === null ? null : <Warnings report={report} of={{ source }} />;
}

function Warnings({ report, of }: { report: TableReport; of: { index: string } | { source: Source } }) {
  const { indexAdvice = null } = report.index ?? report.proposed ?? {};
  return (
    <>
      {warningsOf(report).map(text => (
        <Note key={text} tone="warn">
          <span className="wrap">{text}</span>
        </Note>
      ))}
      {indexAdvice !== null && (
        <MissingTableIndex collection={report.collection} of={of} statement={indexAdvice} />
      )}
    </>
  );
}

function warningsOf(report: TableReport) {
  const { referringKeys, triggers, publications, hasNoReplicaIdentity, publishesWholeRows } = report;
  const { isPartitionedByDeadline = false } = report.index ?? report.proposed ?? {};
  const rowTriggers = triggers.map(({ name }) => name).join(', ');
  return [
    ...referringKeys.map(formatKey),
    ...(triggers.length > 0 ? [t`Triggers run for removed rows: ${rowTriggers}.`] : []),
    ...(hasNoReplicaIdentity
      ? [t`Removal fails: the table is published, and nothing identifies its rows. Set REPLICA IDENTITY.`]
      : publications.length > 0
        ? [t`Removals are published to logical replicas: ${publications.join(', ')}.`]
        : []),
    ...(publishesWholeRows
      ? [t`REPLICA IDENTITY FULL: the write-ahead log gets every column of each removed row.`]
      : []),
    ...(isPartitionedByDeadline && triggers.length + publications.length > 0
      ? [t`A partition that is removed as a whole runs no trigger, and publishes no removal of its rows.`]
      : []),
    ...(report.isDeadlineGenerated
      ? [
          t`The server computes the column of the deadline: an expiration set by hand is kept in sandglass.expirations.`,
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

import { t } from '@lingui/core/macro';
import { useMemo, useState } from 'react';
import type { ImportDeadlines, ImportFormat } from '../../../../shared/contract/jobs.ts';
import type { CsvDelimiter } from '../../../../shared/model/import/csv-rows.ts';
import { useLive } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Note } from '../../../components/status/Note.tsx';
import { formatBytes } from '../../../i18n/format.ts';
import { formatNameProblem } from '../../../i18n/name-problem.ts';
import { formatBadLines } from '../file/bad-lines.ts';
import { allHaveId, collectionNameFrom, usualIdField } from '../file/id-fields.ts';
import type { ImportRequest } from '../file/import-request.ts';
import { bringsDeadlines, formatsOf, readAs } from '../file/sample-formats.ts';
import type { Sniffed } from '../file/sniff.ts';
import classes from '../import.module.css';
import type { ImportPlan } from '../run/import-run.ts';
import { stoppedImports } from '../run/stopped-imports.ts';
import { CollectionField } from './CollectionField.tsx';
import { ContinueField } from './ContinueField.tsx';
import { DeadlinesField } from './DeadlinesField.tsx';
import { FormatField } from './FormatField.tsx';
import { IdField } from './IdField.tsx';

interface ImportFormProps {
  request: ImportRequest;
  sniffed: Sniffed;
  onCancel: () => void;
  onStart: (plan: ImportPlan) => void;
}

/** Format, target collection, `_id` and deadlines of an import. */
export function ImportForm({
  request: { file, collection: target },
  sniffed,
  onCancel,
  onStart,
}: ImportFormProps) {
  const jobs = useLive(state => state.jobs);
  const lost = useLive(({ connection }) => connection.is === 'lost');
  const formats = useMemo(() => formatsOf(sniffed), [sniffed]);
  const [format, setFormat] = useState<ImportFormat>(formats[0] ?? sniffed.format);
  const [delimiter, setDelimiter] = useState<CsvDelimiter | null>(sniffed.csv?.delimiter ?? null);
  const { sample, bad } = useMemo(() => readAs(sniffed, format, delimiter), [sniffed, format, delimiter]);
  const [collection, setCollection] = useState(target ?? collectionNameFrom(file.name));
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [deadlines, setDeadlines] = useState<ImportDeadlines>('absolute');
  const [isContinued, setContinued] = useState(true);
  const stopped = stoppedImports(jobs.values(), collection).find(
    ({ subject, totalBytes }) => subject === file.name && totalBytes === file.size,
  );
  const ownIds = allHaveId(sample);
  const idField = chosenId ?? (ownIds ? '' : usualIdField(sample));
  const problem = formatNameProblem(collection);

  return (
    <form
      className={`form ${classes.importForm}`}
      onSubmit={event => {
        event.preventDefault();
        if (problem !== null || lost) return;
        onStart({
          file,
          collection,
          format,
          delimiter,
          deadlines,
          afterLine: stopped !== undefined && isContinued ? stopped.line : 0,
          idField: idField === '' ? null : idField,
          repeatable: ownIds || idField !== '',
        });
      }}
    >
      <FormatField
        size={formatBytes(file.size)}
        formats={formats}
        format={format}
        onFormat={chosen => {
          setFormat(chosen);
          setChosenId(null);
        }}
        delimiter={delimiter}
        onDelimiter={chosen => {
          setDelimiter(chosen);
          setChosenId(null);
        }}
        sample={sample}
      />
      {bad.length > 0 && <Note tone="warn">{formatBadLines(bad)}</Note>}
      <CollectionField collection={collection} problem={problem} onChange={setCollection} />
      <IdField sample={sample} ownIds={ownIds} idField={idField} onChange={setChosenId} />
      {bringsDeadlines(sample) && <DeadlinesField deadlines={deadlines} onChange={setDeadlines} />}
      {stopped !== undefined && (
        <ContinueField line={stopped.line} isContinued={isContinued} onChange={setContinued} />
      )}
      <div className="row end">
        <Button onClick={onCancel}>{t`Cancel`}</Button>
        <Button type="submit" variant="primary" disabled={problem !== null || lost}>{t`Import`}</Button>
      </div>
    </form>
  );
}

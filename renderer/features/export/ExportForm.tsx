import { Checkbox, Input, Radio } from '@mantine/core';
import { useState } from 'react';
import { useLive } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Segmented } from '../../components/controls/Segmented.tsx';
import { formatCount } from '../../i18n/format.ts';
import classes from './export.module.css';
import {
  type ExportFormat,
  type ExportPlan,
  type ExportScope,
  FORMATS,
  fileNameOf,
  formatScope,
  scopesOf,
} from './export-plan.ts';
import type { ExportRequest } from './export-request.ts';

interface ExportFormProps {
  request: ExportRequest;
  onCancel: () => void;
  onStart: (plan: ExportPlan) => void;
}

const SEGMENTS = [
  { value: 'ndjson', label: FORMATS.ndjson.label },
  { value: 'json', label: FORMATS.json.label },
  { value: 'csv', label: FORMATS.csv.label },
] as const;

/** Choice of documents, format and fields of an export. */
export function ExportForm({ request, onCancel, onStart }: ExportFormProps) {
  const { collection, part, ids } = request;
  const lost = useLive(({ connection }) => connection.is === 'lost');
  const documents = useLive(({ collections }) => collections?.get(collection)?.documents ?? null);
  const overdue = useLive(({ collections }) => collections?.get(collection)?.overdue ?? 0);
  const scopes = scopesOf(request);
  const [scope, setScope] = useState<ExportScope>(scopes[0] ?? 'all');
  const [format, setFormat] = useState<ExportFormat>('ndjson');
  const [deadlines, setDeadlines] = useState(false);
  const [formulasAsText, setFormulasAsText] = useState(false);
  const [withExpired, setWithExpired] = useState(part?.includeExpired ?? false);
  const includeExpired = withExpired || scope === 'selection';

  return (
    <form
      className="form"
      onSubmit={event => {
        event.preventDefault();
        if (lost) return;
        const total = { all: documents, part: null, selection: ids?.length ?? 0 }[scope];
        onStart({
          collection,
          scope,
          format,
          deadlines,
          formulasAsText,
          includeExpired,
          filter: scope === 'part' ? (part?.filter ?? null) : null,
          ids: scope === 'selection' ? ids : null,
          total,
        });
      }}
    >
      <fieldset className={classes.exportChoices}>
        <legend>Documents</legend>
        {scopes.map(one => (
          <Radio
            key={one}
            name="scope"
            label={formatScope(one, request)}
            checked={one === scope}
            onChange={() => setScope(one)}
          />
        ))}
      </fieldset>
      <Input.Wrapper labelElement="div" label="Format" description={FORMATS[format].means}>
        <Segmented label="Format" large fill value={format} segments={SEGMENTS} onChange={setFormat} />
      </Input.Wrapper>
      <fieldset className={classes.exportChoices}>
        <legend>Include</legend>
        <Checkbox
          label={
            <>
              Deadlines, as <span className="mono">$expiration</span>
            </>
          }
          checked={deadlines}
          onChange={event => setDeadlines(event.target.checked)}
        />
        {format === 'csv' && (
          <Checkbox
            label="For spreadsheets"
            description="An apostrophe before text that looks like a formula"
            checked={formulasAsText}
            onChange={event => setFormulasAsText(event.target.checked)}
          />
        )}
        {scope !== 'selection' && (
          <Checkbox
            label="Overdue documents"
            description={`Past their deadline and not yet removed${overdue > 0 ? `, ${formatCount(overdue)} now` : ''}`}
            checked={withExpired}
            onChange={event => setWithExpired(event.target.checked)}
          />
        )}
      </fieldset>
      <div className="row end">
        <span className="t-12 t-3 grow ell">{fileNameOf(collection, scope, format)}</span>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" data-autofocus disabled={lost}>
          Export
        </Button>
      </div>
    </form>
  );
}

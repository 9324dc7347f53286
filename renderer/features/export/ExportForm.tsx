import { useState } from 'react';
import { formatCount } from '../../../shared/model/format.ts';
import { useLive } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Checkbox } from '../../components/controls/Checkbox.tsx';
import { Segmented } from '../../components/controls/Segmented.tsx';
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
import './export.css';

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
      <fieldset className="export-choices">
        <legend>Documents</legend>
        {scopes.map(one => (
          <label key={one} className="row">
            <input
              type="radio"
              className="radio"
              name="scope"
              checked={one === scope}
              onChange={() => setScope(one)}
            />
            <span className="wrap">{formatScope(one, request)}</span>
          </label>
        ))}
      </fieldset>
      <div className="label">
        <span>Format</span>
        <Segmented label="Format" large fill value={format} segments={SEGMENTS} onChange={setFormat} />
        <span className="hint wrap">{FORMATS[format].means}</span>
      </div>
      <fieldset className="export-choices">
        <legend>Include</legend>
        <div className="row">
          <Checkbox label="Deadlines" checked={deadlines} onChange={setDeadlines} />
          <span className="wrap" aria-hidden="true">
            Deadlines, as <span className="mono">$expiration</span>
          </span>
        </div>
        {format === 'csv' && (
          <div className="row">
            <Checkbox label="For spreadsheets" checked={formulasAsText} onChange={setFormulasAsText} />
            <span className="wrap" aria-hidden="true">
              For spreadsheets: an apostrophe before text that looks like a formula
            </span>
          </div>
        )}
        {scope !== 'selection' && (
          <div className="row">
            <Checkbox label="Overdue documents" checked={withExpired} onChange={setWithExpired} />
            <span className="wrap" aria-hidden="true">
              Documents past their deadline that are not yet removed
              {overdue > 0 && `, ${formatCount(overdue)} now`}
            </span>
          </div>
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

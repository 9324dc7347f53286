import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
        <legend>{t`Documents`}</legend>
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
      <Input.Wrapper labelElement="div" label={t`Format`} description={FORMATS[format].means}>
        <Segmented label={t`Format`} large fill value={format} segments={SEGMENTS} onChange={setFormat} />
      </Input.Wrapper>
      <fieldset className={classes.exportChoices}>
        <legend>{t`Include`}</legend>
        <Checkbox
          label={
            <Trans>
              Deadlines, as <span className="mono">$expiration</span>
            </Trans>
          }
          checked={deadlines}
          onChange={event => setDeadlines(event.target.checked)}
        />
        {format === 'csv' && (
          <Checkbox
            label={t`For spreadsheets`}
            description={t`An apostrophe before text that looks like a formula`}
            checked={formulasAsText}
            onChange={event => setFormulasAsText(event.target.checked)}
          />
        )}
        {scope !== 'selection' && (
          <Checkbox
            label={t`Overdue documents`}
            description={
              overdue > 0
                ? t`Past their deadline and not yet removed, ${formatCount(overdue)} now`
                : t`Past their deadline and not yet removed`
            }
            checked={withExpired}
            onChange={event => setWithExpired(event.target.checked)}
          />
        )}
      </fieldset>
      <div className="row end">
        <span className="t-12 t-3 grow ell">{fileNameOf(collection, scope, format)}</span>
        <Button onClick={onCancel}>{t`Cancel`}</Button>
        <Button type="submit" variant="primary" data-autofocus disabled={lost}>{t`Export`}</Button>
      </div>
    </form>
  );
}

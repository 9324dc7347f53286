import { useState } from 'react';
import { formatBytes, formatCount } from '../../../shared/model/format.ts';
import { nameProblem } from '../../../shared/model/names.ts';
import { useLive } from '../../api.ts';
import { Button } from '../../components/Button.tsx';
import { allHaveId, collectionNameFrom, idFields, isUsualIdField } from './id-fields.ts';
import type { ImportRequest } from './import-request.ts';
import type { ImportPlan } from './import-run.ts';
import type { Sniffed } from './sniff.ts';

interface ImportFormProps {
  request: ImportRequest;
  sniffed: Sniffed;
  onCancel: () => void;
  onStart: (plan: ImportPlan) => void;
}

const FORMAT = { ndjson: 'NDJSON, one document a line', json: 'One JSON array of documents' } as const;

/** Where the documents go, and what their `_id` is. */
export function ImportForm({
  request: { file, collection: open },
  sniffed,
  onCancel,
  onStart,
}: ImportFormProps) {
  const { format, sample } = sniffed;
  const collections = useLive(state => state.collections);
  const fields = idFields(sample);
  const ownIds = allHaveId(sample);
  const usual = fields.find(isUsualIdField);
  const [collection, setCollection] = useState(open ?? collectionNameFrom(file.name));
  const [idField, setIdField] = useState(ownIds || usual === undefined ? '' : usual);
  const problem = nameProblem(collection);
  const existing = collections?.get(collection);

  return (
    <form
      className="form"
      onSubmit={event => {
        event.preventDefault();
        if (problem === null) {
          const repeatable = ownIds || idField !== '';
          onStart({ file, collection, format, idField: idField === '' ? null : idField, repeatable });
        }
      }}
    >
      <p className="t-2">
        {FORMAT[format]}, {formatBytes(file.size)}.
      </p>
      <label className="label">
        <span>Collection</span>
        <input
          className="input"
          data-autofocus
          list="import-collections"
          autoComplete="off"
          spellCheck={false}
          value={collection}
          aria-invalid={problem !== null}
          aria-describedby="import-collection-echo"
          onChange={event => setCollection(event.target.value)}
        />
        <datalist id="import-collections">
          {[...(collections?.keys() ?? [])].map(name => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <span id="import-collection-echo" className={problem === null ? 'hint' : 'problem'}>
          {problem ??
            (existing
              ? `Exists, with ${formatCount(existing.documents)} documents. Those with the same _id are written over.`
              : 'Will be created.')}
        </span>
      </label>
      <label className="label">
        <span>
          Field that becomes <span className="mono">_id</span>
        </span>
        <select className="input" value={idField} onChange={event => setIdField(event.target.value)}>
          <option value="">
            {ownIds ? 'The documents bring their own _id' : 'None: make one for each document'}
          </option>
          {fields.map(field => (
            <option key={field} value={field}>
              {field}
            </option>
          ))}
        </select>
        <span className="hint">
          {sample.length > 0
            ? `Offered is what is unique in the first ${formatCount(sample.length)} documents.`
            : 'The first document is too long to look into beforehand.'}
        </span>
      </label>
      <div className="row end">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={problem !== null}>
          Import
        </Button>
      </div>
    </form>
  );
}

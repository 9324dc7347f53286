import { useState } from 'react';
import { formatBytes, formatCount } from '../../../shared/model/format.ts';
import { nameProblem } from '../../../shared/model/names.ts';
import { useLive } from '../../api.ts';
import { Button } from '../../components/Button.tsx';
import { usePlace } from '../../components/location.ts';
import { Note } from '../../components/Note.tsx';
import { badLineWords } from './bad-lines.ts';
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

const existsWords = (count: number) =>
  `Exists, with ${formatCount(count)} ${count === 1 ? 'document' : 'documents'}. Those with an equal _id are written over.`;

/** Where the documents go, and what their `_id` is. */
export function ImportForm({
  request: { file, collection: target },
  sniffed,
  onCancel,
  onStart,
}: ImportFormProps) {
  const { format, sample, bad } = sniffed;
  const { path } = usePlace();
  const open = path[0] === 'collections' ? path[1] : undefined;
  const lost = useLive(({ connection }) => connection.is === 'lost');
  const collections = useLive(state => state.collections);
  const fields = idFields(sample);
  const ownIds = allHaveId(sample);
  const usual = fields.find(isUsualIdField);
  const [collection, setCollection] = useState(target ?? collectionNameFrom(file.name));
  const [idField, setIdField] = useState(ownIds || usual === undefined ? '' : usual);
  const problem = nameProblem(collection);
  const existing = collections?.get(collection);
  const other = open !== undefined && open !== collection && collections?.has(open) ? open : null;

  return (
    <form
      className="form"
      onSubmit={event => {
        event.preventDefault();
        if (problem === null && !lost) {
          const repeatable = ownIds || idField !== '';
          onStart({ file, collection, format, idField: idField === '' ? null : idField, repeatable });
        }
      }}
    >
      <p className="t-2">
        {FORMAT[format]}, {formatBytes(file.size)}.
      </p>
      {bad.length > 0 && <Note tone="warn">{badLineWords(bad)}</Note>}
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
          {problem ?? (existing ? existsWords(existing.documents) : 'Will be created.')}
        </span>
      </label>
      {other !== null && (
        <Button small className="other-target" onClick={() => setCollection(other)}>
          <span className="ell">Into {other} instead, the one that is open</span>
        </Button>
      )}
      <label className="label">
        <span>
          Field that becomes <span className="mono">_id</span>
        </span>
        <select className="input" value={idField} onChange={event => setIdField(event.target.value)}>
          <option value="">
            {ownIds
              ? 'The documents bring their own _id'
              : 'Their own _id where they have one, else one is made'}
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
        <Button type="submit" variant="primary" disabled={problem !== null || lost}>
          Import
        </Button>
      </div>
    </form>
  );
}

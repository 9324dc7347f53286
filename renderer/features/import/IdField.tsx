import { formatCount } from '../../../shared/model/format.ts';
import type { JsonObject } from '../../../shared/model/json/json.ts';
import { idFields } from './id-fields.ts';

interface IdFieldProps {
  sample: readonly JsonObject[];
  /** They all bring an `_id`. */
  ownIds: boolean;
  /** Empty: none is chosen. */
  idField: string;
  onChange: (field: string) => void;
}

/** Which field becomes `_id` where a document has none. */
export function IdField({ sample, ownIds, idField, onChange }: IdFieldProps) {
  return (
    <label className="label">
      <span>
        Field that becomes <span className="mono">_id</span>
      </span>
      <select className="input" value={idField} onChange={event => onChange(event.target.value)}>
        <option value="">
          {ownIds
            ? 'The documents bring their own _id'
            : 'Their own _id where they have one, else one is made'}
        </option>
        {idFields(sample).map(field => (
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
  );
}

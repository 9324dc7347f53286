import { Select } from '@mantine/core';
import type { JsonObject } from '../../../../shared/model/json/json.ts';
import { formatCount } from '../../../i18n/format.ts';
import { idFields } from '../file/id-fields.ts';

interface IdFieldProps {
  sample: readonly JsonObject[];
  /** Every document has an `_id`. */
  ownIds: boolean;
  /** Empty: none. */
  idField: string;
  onChange: (field: string) => void;
}

/** The field that becomes `_id` of documents without one. */
export function IdField({ sample, ownIds, idField, onChange }: IdFieldProps) {
  return (
    <Select
      label={
        <>
          Field that becomes <span className="mono">_id</span>
        </>
      }
      description={
        sample.length > 0
          ? sample.length === 1
            ? 'Fields of the first document.'
            : `Fields unique in the first ${formatCount(sample.length)} documents.`
          : 'The first document is too long for a preview.'
      }
      value={idField}
      data={[
        { value: '', label: ownIds ? 'Keep _id' : 'Keep _id, generate if missing' },
        ...idFields(sample),
      ]}
      onChange={field => onChange(field ?? '')}
    />
  );
}

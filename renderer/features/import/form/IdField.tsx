import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Select } from '@mantine/core';
import type { JsonObject } from '../../../../shared/model/json/json.ts';
import { idFields } from '../file/id-fields.ts';

interface IdFieldProps {
  sample: readonly JsonObject[];
  /** Whether every document has an `_id`. */
  ownIds: boolean;
  /** Name of the field; empty: none. */
  idField: string;
  onChange: (field: string) => void;
}

/** Choice of the field that becomes the `_id` of documents without one. */
export function IdField({ sample, ownIds, idField, onChange }: IdFieldProps) {
  return (
    <Select
      label={
        <Trans>
          Field that becomes <span className="mono">_id</span>
        </Trans>
      }
      description={
        sample.length > 0
          ? plural(sample.length, {
              one: 'Fields of the first document.',
              other: 'Fields unique in the first # documents.',
            })
          : t`The first document is too long for a preview.`
      }
      value={idField}
      data={[
        { value: '', label: ownIds ? t`Keep _id` : t`Keep _id, generate if missing` },
        ...idFields(sample),
      ]}
      onChange={field => onChange(field ?? '')}
    />
  );
}

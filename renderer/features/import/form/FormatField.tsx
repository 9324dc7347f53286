import { t } from '@lingui/core/macro';
import { Input, Select } from '@mantine/core';
import type { ImportFormat } from '../../../../shared/contract/jobs.ts';
import { CSV_DELIMITERS, type CsvDelimiter } from '../../../../shared/model/import/csv-rows.ts';
import { type JsonObject, stringifyJson } from '../../../../shared/model/json/json.ts';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import { DELIMITER_LABELS, FORMAT_LABELS } from '../file/sample-formats.ts';
import classes from '../import.module.css';

interface FormatFieldProps {
  /** Size of the file, formatted. */
  size: string;
  formats: readonly ImportFormat[];
  format: ImportFormat;
  onFormat: (format: ImportFormat) => void;
  /** Null: not CSV. */
  delimiter: CsvDelimiter | null;
  onDelimiter: (delimiter: CsvDelimiter) => void;
  sample: readonly JsonObject[];
}

const LONGEST = 400;

/** Detected format and separator, and the first document as it will be stored. */
export function FormatField(props: FormatFieldProps) {
  const { formats, format, delimiter, sample } = props;
  const first = sample[0];
  return (
    <>
      <Select
        label={t`Format (${props.size})`}
        value={format}
        disabled={formats.length === 1}
        data={formats.map((value, i) => ({
          value,
          label: i === 0 ? t`${FORMAT_LABELS[value]} (found)` : FORMAT_LABELS[value],
        }))}
        onChange={chosen => {
          if (chosen !== null) props.onFormat(chosen);
        }}
      />
      {delimiter !== null && (
        <Input.Wrapper labelElement="div" label={t`Separator`}>
          <Segmented
            label={t`Separator`}
            large
            fill
            value={delimiter}
            segments={CSV_DELIMITERS.map(value => ({ value, label: DELIMITER_LABELS[value] }))}
            onChange={props.onDelimiter}
          />
        </Input.Wrapper>
      )}
      {first !== undefined && (
        <Input.Wrapper labelElement="div" label={t`First document`}>
          <code className={`${classes.firstDocument} mono t-2`}>{shortened(stringifyJson(first))}</code>
        </Input.Wrapper>
      )}
    </>
  );
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

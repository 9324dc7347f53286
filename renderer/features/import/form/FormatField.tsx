import { type ImportFormat, importFormat } from '../../../../shared/contract/jobs.ts';
import { CSV_DELIMITERS, type CsvDelimiter } from '../../../../shared/model/import/csv-rows.ts';
import { type JsonObject, stringifyJson } from '../../../../shared/model/json/json.ts';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import { DELIMITER_LABELS, FORMAT_LABELS } from '../file/sample-formats.ts';

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
      <label className="label">
        <span>Format ({props.size})</span>
        <select
          className="input"
          value={format}
          disabled={formats.length === 1}
          onChange={event => {
            const chosen = importFormat.safeParse(event.target.value);
            if (chosen.success) props.onFormat(chosen.data);
          }}
        >
          {formats.map((one, i) => (
            <option key={one} value={one}>
              {FORMAT_LABELS[one]}
              {i === 0 ? ' (found)' : ''}
            </option>
          ))}
        </select>
      </label>
      {delimiter !== null && (
        <div className="label">
          <span>Separator</span>
          <Segmented
            label="Separator"
            large
            fill
            value={delimiter}
            segments={CSV_DELIMITERS.map(value => ({ value, label: DELIMITER_LABELS[value] }))}
            onChange={props.onDelimiter}
          />
        </div>
      )}
      {first !== undefined && (
        <div className="label">
          <span>First document</span>
          <code className="first-document mono t-2">{shortened(stringifyJson(first))}</code>
        </div>
      )}
    </>
  );
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

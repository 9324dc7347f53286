import { type ImportFormat, importFormat } from '../../../shared/contract/jobs.ts';
import { CSV_DELIMITERS, type CsvDelimiter } from '../../../shared/model/import/csv-rows.ts';
import { type JsonObject, stringifyJson } from '../../../shared/model/json/json.ts';
import { Segmented } from '../../components/controls/Segmented.tsx';
import { DELIMITER_WORDS, FORMAT_WORDS } from './reading.ts';

interface FormatFieldProps {
  /** Of the file, in words. */
  size: string;
  formats: readonly ImportFormat[];
  format: ImportFormat;
  onFormat: (format: ImportFormat) => void;
  /** Null where it is no CSV. */
  delimiter: CsvDelimiter | null;
  onDelimiter: (delimiter: CsvDelimiter) => void;
  sample: readonly JsonObject[];
}

const LONGEST = 400;

/** How the file is read, found by its beginning, and the first document as it will be stored. */
export function FormatField(props: FormatFieldProps) {
  const { formats, format, delimiter, sample } = props;
  const first = sample[0];
  return (
    <>
      <label className="label">
        <span>Format of these {props.size}</span>
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
              {FORMAT_WORDS[one]}
              {i === 0 ? ' (found)' : ''}
            </option>
          ))}
        </select>
      </label>
      {delimiter !== null && (
        <div className="label">
          <span>Between fields stands</span>
          <Segmented
            label="Between fields stands"
            large
            fill
            value={delimiter}
            segments={CSV_DELIMITERS.map(value => ({ value, label: DELIMITER_WORDS[value] }))}
            onChange={props.onDelimiter}
          />
        </div>
      )}
      {first !== undefined && (
        <div className="label">
          <span>The first document</span>
          <code className="first-document mono t-2">{shortened(stringifyJson(first))}</code>
        </div>
      )}
    </>
  );
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

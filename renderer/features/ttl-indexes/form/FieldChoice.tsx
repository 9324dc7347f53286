import { useId } from 'react';
import type { FieldCandidate } from '../../../../shared/contract/ttl-indexes.ts';
import { stringifyJson } from '../../../../shared/model/json/json.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { formatShare } from '../preview/preview-figures.ts';
import { formatContent, formatDateShare, shownCandidates } from './field-candidates.ts';
import './field-choice.css';

interface FieldChoiceProps {
  candidates: readonly FieldCandidate[];
  sampled: number;
  field: string;
  onChoose: (field: string) => void;
  problem: string | null;
}

/** The date fields found in the data, best first, and an input for any other path. */
export function FieldChoice({ candidates, sampled, field, onChoose, problem }: FieldChoiceProps) {
  const id = useId();
  const shown = shownCandidates(candidates, field);
  const hidden = candidates.length - shown.length;
  const isOther = !shown.some(candidate => candidate.field === field);
  return (
    <div className="cands">
      <table className="tbl" aria-label="Field that holds the date">
        <colgroup>
          <col />
          <col className="has" />
          <col className="unit" />
          <col className="example" />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col" className="num">
              Has it
            </th>
            <th scope="col">Holds</th>
            <th scope="col">Example</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((candidate, i) => (
            <tr
              key={candidate.field}
              className={`${candidate.field === field ? 'sel' : ''} ${candidate.dates === 0 ? 'no-date' : ''}`}
            >
              <td>
                <label htmlFor={`${id}-${i}`}>
                  <input
                    id={`${id}-${i}`}
                    type="radio"
                    className="radio"
                    name={id}
                    checked={candidate.field === field}
                    onChange={() => onChoose(candidate.field)}
                  />
                  <span className="mono" title={candidate.field}>
                    {candidate.field}
                  </span>
                </label>
              </td>
              <td className="num">{formatShare(sampled === 0 ? 0 : candidate.present / sampled)}</td>
              <td title={formatDateShare(candidate)}>{formatContent(candidate)}</td>
              <td className="mono t-2" title={formatExample(candidate.example)}>
                {formatExample(candidate.example)}
              </td>
            </tr>
          ))}
          <tr className={isOther ? 'sel' : ''}>
            <td colSpan={4}>
              <div className="row other-field">
                <input
                  type="radio"
                  className="radio"
                  name={id}
                  aria-label="Another field"
                  checked={isOther}
                  onChange={() => onChoose('')}
                />
                <input
                  className="input s mono"
                  aria-label="Path of the field"
                  placeholder={
                    hidden > 0
                      ? `any other path; ${hidden} more fields without dates`
                      : 'any other path, such as meta.expires'
                  }
                  value={isOther ? field : ''}
                  spellCheck={false}
                  autoComplete="off"
                  aria-invalid={problem !== null}
                  aria-describedby={`${id}-problem`}
                  list={`${id}-paths`}
                  onChange={event => onChoose(event.target.value)}
                />
              </div>
            </td>
          </tr>
        </tbody>
      </table>
      <datalist id={`${id}-paths`}>
        {candidates.map(candidate => (
          <option key={candidate.field} value={candidate.field} />
        ))}
      </datalist>
      <p id={`${id}-problem`} className="problem" aria-live="polite">
        {problem}
      </p>
    </div>
  );
}

const LONGEST = 60;

function formatExample(example: unknown): string {
  const text = typeof example === 'string' ? example : (stringifyJson(example) ?? '');
  return visibleText(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

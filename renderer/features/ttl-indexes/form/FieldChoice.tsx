import { t } from '@lingui/core/macro';
import { Autocomplete, Radio } from '@mantine/core';
import { useId } from 'react';
import type { FieldCandidate } from '../../../../shared/contract/ttl-indexes.ts';
import { stringifyJson } from '../../../../shared/model/json/json.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { isDated } from '../draft/field-reading.ts';
import { formatShare } from '../preview/preview-figures.ts';
import { formatContent, formatDateShare, shownCandidates } from './field-candidates.ts';
import classes from './field-choice.module.css';

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
    <div className={classes.cands}>
      <table className="tbl" aria-label={t`Field that holds the date`}>
        <colgroup>
          <col />
          <col className={classes.has} />
          <col className={classes.unit} />
          <col className={classes.example} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">{t`Field`}</th>
            <th scope="col" className="num">{t`Has it`}</th>
            <th scope="col">{t`Holds`}</th>
            <th scope="col">{t`Example`}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(candidate => (
            <tr
              key={candidate.field}
              className={`${candidate.field === field ? 'sel' : ''} ${isDated(candidate) ? '' : classes.noDate}`}
            >
              <td>
                <Radio
                  name={id}
                  checked={candidate.field === field}
                  onChange={() => onChoose(candidate.field)}
                  label={
                    <span className="mono" title={candidate.field}>
                      {candidate.field}
                    </span>
                  }
                />
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
              <div className={`row ${classes.otherField}`}>
                <Radio
                  name={id}
                  aria-label={t`Another field`}
                  checked={isOther}
                  onChange={() => onChoose('')}
                />
                <Autocomplete
                  className="grow"
                  classNames={{ input: 'mono' }}
                  size="xs"
                  aria-label={t`Path of the field`}
                  data={candidates.map(candidate => candidate.field)}
                  placeholder={
                    hidden > 0
                      ? t`any other path; ${hidden} more fields without dates`
                      : t`any other path, such as meta.expires`
                  }
                  value={isOther ? field : ''}
                  error={problem}
                  onChange={onChoose}
                />
              </div>
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

const LONGEST = 60;

function formatExample(example: unknown): string {
  const text = typeof example === 'string' ? example : (stringifyJson(example) ?? '');
  return visibleText(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

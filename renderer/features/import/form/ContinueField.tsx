import { useId } from 'react';
import { formatCount } from '../../../../shared/model/format.ts';
import { Checkbox } from '../../../components/controls/Checkbox.tsx';

interface ContinueFieldProps {
  /** Line after which the last import of the file stopped. */
  line: number;
  isContinued: boolean;
  onChange: (isContinued: boolean) => void;
}

/** Continues an import of the same file that stopped. */
export function ContinueField({ line, isContinued, onChange }: ContinueFieldProps) {
  const id = useId();
  const label = `Continue after line ${formatCount(line)}, where the last import of this file stopped`;
  return (
    <label htmlFor={id} className="row">
      <Checkbox id={id} label={label} checked={isContinued} onChange={onChange} />
      <span>{label}</span>
    </label>
  );
}

import { t } from '@lingui/core/macro';
import { Checkbox } from '@mantine/core';
import { formatCount } from '../../../i18n/format.ts';

interface ContinueFieldProps {
  /** Line after which the last import of the file stopped. */
  line: number;
  isContinued: boolean;
  onChange: (isContinued: boolean) => void;
}

/** Continues an import of the same file that stopped. */
export function ContinueField({ line, isContinued, onChange }: ContinueFieldProps) {
  return (
    <Checkbox
      label={t`Continue after line ${formatCount(line)}, where the last import of this file stopped`}
      checked={isContinued}
      onChange={event => onChange(event.target.checked)}
    />
  );
}

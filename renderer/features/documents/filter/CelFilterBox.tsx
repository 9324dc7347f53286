import { t } from '@lingui/core/macro';
import { CodeEditor } from '../../../components/code/CodeEditor.tsx';
import { useFieldNames } from '../editor/use-field-names.ts';
import type { CelError } from './cel-error.ts';
import type { FilterBoxProps } from './filter-box.ts';

const EXAMPLE = 'doc.tenant == "acme" && doc.seats > 3';

interface CelFilterBoxProps extends FilterBoxProps {
  collection: string;
  /** The error in the present text; null: none. */
  error: CelError | null;
}

export function CelFilterBox({ collection, error, ...box }: CelFilterBoxProps) {
  return (
    <CodeEditor
      ref={box.boxRef}
      language="cel"
      isSingleLine
      aria-label={t`Filter by CEL`}
      aria-invalid={error !== null}
      aria-describedby={box.describedBy}
      value={box.text}
      placeholder={EXAMPLE}
      fields={useFieldNames(collection)}
      mistake={error === null ? null : { line: 1, column: error.column, message: error.message }}
      onChange={box.onType}
      onEnter={box.onSettle}
    />
  );
}

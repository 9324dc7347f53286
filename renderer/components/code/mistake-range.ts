import type { Diagnostic } from '@codemirror/lint';
import type { Text } from '@codemirror/state';
import type { CodeMistake } from './code-editor-props.ts';

/** Returns the marked part: the word at the column, or the whole line. Positions past the end are moved to it. */
export function diagnosticOf(text: Text, { line, column, message }: CodeMistake): Diagnostic {
  const at = text.line(Math.min(Math.max(1, line), text.lines));
  const from = column === null ? at.from : Math.min(at.from + column - 1, at.to);
  const word = column === null ? null : /^\w+/.exec(at.text.slice(from - at.from));
  const to = column === null ? at.to : Math.min(from + (word?.[0].length ?? 1), at.to);
  return { from, to, severity: 'error', message };
}

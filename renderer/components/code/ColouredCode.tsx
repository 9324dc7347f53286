import { highlightCode } from '@lezer/highlight';
import type { ReactNode } from 'react';
import { highlighter } from './highlighter.ts';
import { statement } from './statement-language.ts';

/** The text of a call or a statement as coloured spans. */
export function ColouredCode({ text }: { text: string }): ReactNode {
  const spans: ReactNode[] = [];
  highlightCode(
    text,
    statement.parser.parse(text),
    highlighter,
    (code, className) =>
      spans.push(
        <span key={spans.length} className={className}>
          {code}
        </span>,
      ),
    () => spans.push('\n'),
  );
  return spans;
}

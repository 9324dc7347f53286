import type { Ref } from 'react';

/** Position of an error; line and column count from 1. Without a column the whole line is marked. */
export interface CodeMistake {
  line: number;
  column: number | null;
  message: string;
}

export interface TextBox {
  focus(): void;
  select(): void;
}

export interface CodeEditorProps {
  ref?: Ref<TextBox>;
  language: 'cel' | 'json';
  value: string;
  onChange: (text: string) => void;
  /** Called by Ctrl+S and Ctrl+Enter. */
  onSave?: () => void;
  mistake: CodeMistake | null;
  /** Called by Enter in a single line, unless a completion is being chosen. */
  onEnter?: () => void;
  /** Fields of the collection, offered while typing. */
  fields?: readonly string[];
  placeholder?: string;
  isReadOnly?: boolean;
  /** Line numbers and folding. */
  isDocument?: boolean;
  /** A single line without a border, for a field that draws its own; Escape clears the text. */
  isSingleLine?: boolean;
  autoFocus?: boolean;
  /** Attributes of the text box: its name, and what describes it. */
  'aria-label'?: string;
  'aria-labelledby'?: string;
  'aria-describedby': string;
  'aria-invalid': boolean;
}

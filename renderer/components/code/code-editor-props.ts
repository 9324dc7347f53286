/** Position of an error; line and column count from 1. Without a column the whole line is marked. */
export interface CodeMistake {
  line: number;
  column: number | null;
  message: string;
}

export interface CodeEditorProps {
  language: 'cel' | 'json';
  value: string;
  onChange: (text: string) => void;
  /** Called by Ctrl+S and Ctrl+Enter. */
  onSave?: () => void;
  mistake: CodeMistake | null;
  /** Fields of the collection, offered while typing. */
  fields?: readonly string[];
  placeholder?: string;
  isReadOnly?: boolean;
  /** Line numbers and folding. */
  isDocument?: boolean;
  autoFocus?: boolean;
  /** Attributes of the text box: its name, and what describes it. */
  'aria-label'?: string;
  'aria-labelledby'?: string;
  'aria-describedby': string;
  'aria-invalid': boolean;
}

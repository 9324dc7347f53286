import type { RefCallback } from 'react';
import type { TextBox } from '../../../components/code/code-editor-props.ts';

/** Props that the filters by text and by CEL have in common. */
export interface FilterBoxProps {
  boxRef: RefCallback<TextBox>;
  text: string;
  onType: (text: string) => void;
  /** Applies the text at once, on Enter. */
  onSettle: () => void;
  describedBy: string;
}

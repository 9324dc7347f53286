import type { RefCallback } from 'react';
import type { TextBox } from '../../../components/code/code-editor-props.ts';

/** What the boxes for text and for CEL have in common. */
export interface FilterBoxProps {
  boxRef: RefCallback<TextBox>;
  text: string;
  onType: (text: string) => void;
  /** Enter: applies the text without waiting for a pause. */
  onSettle: () => void;
  describedBy: string;
}

import { EditorState, type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

/** Returns the text with its line breaks as spaces. */
export const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

/** Keeps the text on one line: Enter calls `onEnter`, Escape clears it, pasted lines are joined. */
export function singleLine(onEnter: () => void): Extension {
  return [
    EditorState.transactionFilter.of(change => (change.newDoc.lines > 1 ? [] : change)),
    EditorView.clipboardInputFilter.of(oneLine),
    // Precedence after the keys of the completion list, before the keys of the editor.
    Prec.high(
      keymap.of([
        {
          key: 'Enter',
          run: () => {
            onEnter();
            return true;
          },
        },
        {
          key: 'Escape',
          run: ({ state, dispatch }) => {
            if (state.doc.length === 0) return false;
            dispatch({ changes: { from: 0, to: state.doc.length } });
            return true;
          },
        },
      ]),
    ),
  ];
}

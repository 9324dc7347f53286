import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { cel } from './cel-language.ts';
import { completeCel, completeJson } from './completions.ts';
import { highlighter } from './highlighter.ts';
import { singleLine } from './single-line.ts';

interface EditorOptions {
  language: 'cel' | 'json';
  isDocument: boolean;
  isSingleLine: boolean;
  placeholder: string;
  /** Nonce of the page's response: the content security policy refuses style elements without it. */
  nonce: string;
  fields: () => readonly string[];
  onChange: (text: string) => void;
  onSave: () => void;
  /** Enter in a single line. */
  onEnter: () => void;
}

/** Tab moves the focus on, as in every other field. */
export function editorExtensions(options: EditorOptions): Extension {
  const { language, isDocument, isSingleLine, nonce, fields, onChange, onSave } = options;
  const save = () => {
    onSave();
    return true;
  };
  const complete = language === 'cel' ? completeCel(fields) : completeJson(fields);
  return [
    EditorView.cspNonce.of(nonce),
    Prec.highest(
      keymap.of([
        { key: 'Mod-s', run: save, stopPropagation: true, preventDefault: true },
        { key: 'Mod-Enter', run: save, stopPropagation: true, preventDefault: true },
      ]),
    ),
    language === 'cel' ? cel : json(),
    isDocument ? [lineNumbers(), codeFolding(), foldGutter()] : [],
    isSingleLine ? singleLine(options.onEnter) : [],
    isDocument || isSingleLine ? [] : EditorView.lineWrapping,
    placeholder(options.placeholder),
    history(),
    indentUnit.of('  '),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ override: [complete], icons: false }),
    highlightSelectionMatches(),
    syntaxHighlighting(highlighter),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...(isSingleLine ? [] : searchKeymap),
      ...foldKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    EditorView.updateListener.of(update => {
      if (update.docChanged) onChange(update.state.doc.toString());
    }),
  ];
}

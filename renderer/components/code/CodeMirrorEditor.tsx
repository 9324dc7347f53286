import { setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import type { CodeEditorProps } from './code-editor-props.ts';
import { editorExtensions } from './editor-extensions.ts';
import { diagnosticOf } from './mistake-range.ts';
import { oneLine } from './single-line.ts';

/** CodeMirror as a controlled component. */
export function CodeMirrorEditor(props: CodeEditorProps) {
  const { language, mistake, isReadOnly = false, isDocument = false, isSingleLine = false } = props;
  const value = isSingleLine ? oneLine(props.value) : props.value;
  const parent = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView | null>(null);
  // Set together with the element on the screen; `view` follows with the next rendering, too late for a key pressed at once.
  const mounted = useRef<EditorView>(null);
  const [attributes] = useState(() => new Compartment());
  const shown = attributesOf(props);

  const create = useEffectEvent((element: HTMLElement) => {
    const extensions = editorExtensions({
      language,
      isDocument,
      isSingleLine,
      placeholder: props.placeholder ?? '',
      nonce: document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '',
      fields: () => props.fields ?? [],
      onChange: changed,
      onSave: saved,
      onEnter: entered,
    });
    return new EditorView({ parent: element, doc: value, extensions: [extensions, attributes.of(shown)] });
  });
  // The code of the editor may arrive after the dialog has focused another control: the focus is not taken from a
  // person who types there.
  const focusFirst = useEffectEvent((created: EditorView) => {
    if (props.autoFocus === true && document.activeElement?.matches('input, textarea') !== true)
      created.focus();
  });
  const changed = useEffectEvent((text: string) => {
    if (text !== value) props.onChange(text);
  });
  const saved = useEffectEvent(() => props.onSave?.());
  const entered = useEffectEvent(() => props.onEnter?.());

  useEffect(() => {
    if (parent.current === null) return;
    const created = create(parent.current);
    mounted.current = created;
    setView(created);
    focusFirst(created);
    return () => {
      mounted.current = null;
      created.destroy();
    };
  }, []);

  useImperativeHandle(
    props.ref,
    () => ({
      focus: () => mounted.current?.focus(),
      select: () => {
        const shownView = mounted.current;
        shownView?.dispatch({ selection: { anchor: 0, head: shownView.state.doc.length } });
      },
    }),
    [],
  );

  // A text set from outside replaces the shown one.
  useEffect(() => {
    if (view === null || view.state.doc.toString() === value) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [view, value]);

  useEffect(() => {
    view?.dispatch({ effects: attributes.reconfigure(shown) });
  });

  const [line, column, message] = [mistake?.line, mistake?.column ?? null, mistake?.message ?? ''];
  useEffect(() => {
    if (view === null) return;
    const diagnostics = line === undefined ? [] : [diagnosticOf(view.state.doc, { line, column, message })];
    view.dispatch(setDiagnostics(view.state, diagnostics));
  }, [view, line, column, message]);

  return (
    <div
      ref={parent}
      className="code-editor"
      data-read-only={isReadOnly}
      data-single-line={isSingleLine || undefined}
    />
  );
}

function attributesOf(props: CodeEditorProps): Extension {
  const { isReadOnly = false, isSingleLine = false, autoFocus = false } = props;
  const attributes: Record<string, string> = {
    'aria-describedby': props['aria-describedby'],
    'aria-invalid': String(props['aria-invalid']),
    'aria-readonly': String(isReadOnly),
    tabindex: '0',
  };
  if (props['aria-label'] !== undefined) attributes['aria-label'] = props['aria-label'];
  if (props['aria-labelledby'] !== undefined) attributes['aria-labelledby'] = props['aria-labelledby'];
  if (isSingleLine) Object.assign(attributes, { role: 'searchbox', 'aria-multiline': 'false' });
  if (autoFocus) attributes['data-autofocus'] = 'true';
  return [
    EditorView.contentAttributes.of(attributes),
    EditorState.readOnly.of(isReadOnly),
    EditorView.editable.of(!isReadOnly),
  ];
}

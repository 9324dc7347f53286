import { t } from '@lingui/core/macro';
import { Suspense } from 'react';
import { Boundary } from '../failure/Boundary.tsx';
import { lazyPart } from '../failure/lazy-part.tsx';
import type { CodeEditorProps } from './code-editor-props.ts';
import './code-editor.css';

const codeMirror = lazyPart(() => import('./CodeMirrorEditor.tsx'), 'CodeMirrorEditor');

/** A text box for JSON or CEL: brackets, search, folding, errors at their place, and completion. Its code is fetched when needed. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Boundary name={t`The editor`}>
      <Suspense
        fallback={
          <pre className="code-editor mono" data-single-line={props.isSingleLine}>
            {props.value}
          </pre>
        }
      >
        <codeMirror.Part {...props} />
      </Suspense>
    </Boundary>
  );
}

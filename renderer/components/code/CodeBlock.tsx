import { Suspense } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { lazyPart } from '../failure/lazy-part.tsx';

const coloured = lazyPart(() => import('./ColouredCode.tsx'), 'ColouredCode');

/**
 * A read-only call or statement, coloured by CodeMirror's parser. An editor is not used: it renders only the visible
 * lines, and would add a text box to the dialog around it. The text is shown before its colours are loaded, and without
 * them if their code does not load.
 */
export function CodeBlock({ text }: { text: string }) {
  const plain = <>{text}</>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <pre className="code" tabIndex={0}>
      <ErrorBoundary fallback={plain}>
        <Suspense fallback={plain}>
          <coloured.Part text={text} />
        </Suspense>
      </ErrorBoundary>
    </pre>
  );
}

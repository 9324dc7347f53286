import { Suspense } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { lazyPart } from '../failure/lazy-part.tsx';

const coloured = lazyPart(() => import('./ColouredCode.tsx'), 'ColouredCode');

/**
 * A shown call or statement, coloured by CodeMirror's parser. No editor: that renders the lines in sight only, and would be
 * another text box of the dialog around it. The text is there before its colours, and without them if their code does not load.
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

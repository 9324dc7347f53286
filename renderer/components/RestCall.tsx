import { useState } from 'react';
import { Button } from './controls/Button.tsx';

interface RestCallProps {
  method: string;
  path: string;
  /** JSON text, shown unchanged. */
  body?: string;
}

/** The REST call equivalent to the button beside it. */
export function RestCall({ method, path, body }: RestCallProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <pre className="code" tabIndex={0}>
      <span className="j-c">{method}</span> {path}
      {body !== undefined && `\n${body}`}
    </pre>
  );
}

const SHOWN_COPIED_MS = 2_000;

export function CopyButton({ text }: { text: string }) {
  const [label, setLabel] = useState<'Copy' | 'Copied' | 'Not copied'>('Copy');
  async function copy(): Promise<void> {
    const written = await navigator.clipboard.writeText(text).then(
      () => 'Copied' as const,
      () => 'Not copied' as const,
    );
    setLabel(written);
    setTimeout(() => setLabel('Copy'), SHOWN_COPIED_MS);
  }
  return (
    <Button variant="ghost" small icon="copy" onClick={() => void copy()}>
      <span aria-live="polite">{label}</span>
    </Button>
  );
}

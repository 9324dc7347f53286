import { useState } from 'react';
import { Button } from './controls/Button.tsx';

interface RestCallProps {
  method: string;
  path: string;
  /** JSON text, shown as it stands. */
  body?: string;
}

/** The call that does the same as the button beside it. */
export function RestCall({ method, path, body }: RestCallProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls, and a keyboard must reach it to scroll it
    <pre className="code" tabIndex={0}>
      <span className="j-c">{method}</span> {path}
      {body !== undefined && `\n${body}`}
    </pre>
  );
}

const SAYS_COPIED_MS = 2_000;

export function CopyButton({ text }: { text: string }) {
  const [said, setSaid] = useState<'Copy' | 'Copied' | 'Not copied'>('Copy');
  async function copy(): Promise<void> {
    const written = await navigator.clipboard.writeText(text).then(
      () => 'Copied' as const,
      () => 'Not copied' as const,
    );
    setSaid(written);
    setTimeout(() => setSaid('Copy'), SAYS_COPIED_MS);
  }
  return (
    <Button variant="ghost" small icon="copy" onClick={() => void copy()}>
      <span aria-live="polite">{said}</span>
    </Button>
  );
}

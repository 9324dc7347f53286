import { useState } from 'react';
import { Button } from './Button.tsx';

const SHOWN_COPIED_MS = 2_000;

interface CopyButtonProps {
  /** A function is called when the button is pressed. */
  text: string | (() => string);
  label?: string;
}

export function CopyButton({ text, label = 'Copy' }: CopyButtonProps) {
  const [result, setResult] = useState<'Copied' | 'Not copied' | null>(null);
  async function copy(): Promise<void> {
    const written = await navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
      () => 'Copied' as const,
      () => 'Not copied' as const,
    );
    setResult(written);
    setTimeout(() => setResult(null), SHOWN_COPIED_MS);
  }
  return (
    <Button variant="ghost" small icon="copy" onClick={() => void copy()}>
      <span aria-live="polite">{result ?? label}</span>
    </Button>
  );
}

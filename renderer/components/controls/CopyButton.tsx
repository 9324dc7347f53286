import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Button } from './Button.tsx';

const SHOWN_COPIED_MS = 2_000;

interface CopyButtonProps {
  /** A function is called when the button is pressed. */
  text: string | (() => string);
  label?: string;
}

export function CopyButton({ text, label = t`Copy` }: CopyButtonProps) {
  const [result, setResult] = useState<string | null>(null);
  async function copy(): Promise<void> {
    const written = await navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
      () => t`Copied`,
      () => t`Not copied`,
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

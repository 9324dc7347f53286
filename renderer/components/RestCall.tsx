import { CodeBlock } from './code/CodeBlock.tsx';

interface RestCallProps {
  method: string;
  path: string;
  /** JSON text, shown unchanged. */
  body?: string;
}

/** The REST call equivalent to the button beside it. */
export function RestCall({ method, path, body }: RestCallProps) {
  const line = `${method} ${path}`;
  return <CodeBlock text={body === undefined ? line : `${line}\n${body}`} />;
}

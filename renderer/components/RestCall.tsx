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

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { Button } from '../controls/Button.tsx';
import { CopyButton } from '../controls/CopyButton.tsx';
import { Icon } from '../controls/Icon.tsx';
import classes from './boundary.module.css';
import { PartNotLoaded, retryParts } from './lazy-part.tsx';

type Place = 'page' | 'panel' | 'dialog';

interface BoundaryProps {
  /** Name of the part in the message, at the start of a sentence: `Health`. */
  name: string;
  /** The boundary renders its children again when one of these changes. */
  resetKeys?: unknown[];
  /** The place of the message: that of a page, of a panel, or of a dialog. */
  as?: Place;
  children: ReactNode;
}

/**
 * Limits a failure to one part of the window: the other parts continue, and this one shows the error and how to
 * continue. React logs the error to the console, and the desktop host copies the console to its log.
 */
export function Boundary({ name, resetKeys, as = 'panel', children }: BoundaryProps) {
  return (
    <ErrorBoundary
      fallbackRender={props => <Failure {...props} name={name} as={as} />}
      onReset={retryParts}
      {...(resetKeys !== undefined && { resetKeys })}
    >
      {children}
    </ErrorBoundary>
  );
}

function Failure({ error, resetErrorBoundary, name, as }: FallbackProps & { name: string; as: Place }) {
  const reason = error instanceof PartNotLoaded ? error.message : t`An error occurred: ${messageOf(error)}`;
  const Part = as === 'page' ? 'main' : 'div';
  return (
    <Part className={as === 'page' ? 'page centred' : classes[as]}>
      <div className={classes.message} role="alert">
        <Icon name="err" size={24} className={classes.icon} />
        <h2 className="t-head">
          <Trans>{name} could not be shown</Trans>
        </h2>
        <p className="wrap">{reason}</p>
        <div className={classes.actions}>
          <Button variant="primary" onClick={() => resetErrorBoundary()}>{t`Retry`}</Button>
          <Button onClick={() => location.reload()}>{t`Reload the window`}</Button>
          <CopyButton label={t`Copy details`} text={() => detailsOf(name, error)} />
        </div>
      </div>
    </Part>
  );
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Returns lines for a report: the part, the address, the error with its stack and its cause, the browser. */
function detailsOf(name: string, error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return [
    name,
    // Without `location.search`, which may hold a ticket.
    `${location.origin}${location.pathname}${location.hash}`,
    stackOf(error),
    ...(cause === undefined ? [] : [t`Cause: ${stackOf(cause)}`]),
    navigator.userAgent,
  ].join('\n');
}

const stackOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

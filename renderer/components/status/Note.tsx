import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../controls/Icon.tsx';

type Tone = 'plain' | 'info' | 'warn' | 'bad';
const ICON: Record<Tone, IconName> = { plain: 'info', info: 'info', warn: 'warn', bad: 'err' };

interface NoteProps {
  tone?: Tone;
  icon?: IconName;
  /** Default: `alert` for `bad`, which screen readers announce as soon as it appears. */
  role?: 'alert' | 'status' | 'note';
  /** A button after the text. */
  action?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

/** A message that stays on screen. */
export function Note({ tone = 'plain', icon = ICON[tone], role, action, className, children }: NoteProps) {
  return (
    <Alert
      {...(className !== undefined && { className })}
      mod={{ tone }}
      role={role ?? (tone === 'bad' ? 'alert' : 'note')}
      icon={<Icon name={icon} />}
    >
      <div className="grow">{children}</div>
      {action}
    </Alert>
  );
}

import type { ReactNode } from 'react';
import { Icon, type IconName } from '../controls/Icon.tsx';

type Tone = 'plain' | 'info' | 'warn' | 'bad';
const ICON: Record<Tone, IconName> = { plain: 'info', info: 'info', warn: 'warn', bad: 'err' };

/** A message that stays on screen. `bad` is announced by screen readers as soon as it appears. */
export function Note({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div className={`note ${tone === 'plain' ? '' : tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={ICON[tone]} />
      <div className="grow wrap">{children}</div>
    </div>
  );
}

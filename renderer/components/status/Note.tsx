import type { ReactNode } from 'react';
import { Icon, type IconName } from '../controls/Icon.tsx';

type Tone = 'plain' | 'info' | 'warn' | 'bad';
const ICON: Record<Tone, IconName> = { plain: 'info', info: 'info', warn: 'warn', bad: 'err' };

/** A remark that stays where it applies. `bad` is read aloud as soon as it appears. */
export function Note({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div className={`note ${tone === 'plain' ? '' : tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={ICON[tone]} />
      <div className="grow wrap">{children}</div>
    </div>
  );
}

import { t } from '@lingui/core/macro';
import { Notification } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useStore } from '../../state/store.ts';
import { Button } from '../controls/Button.tsx';
import { Icon, type IconName } from '../controls/Icon.tsx';
import { dismissToast, lifeOf, type ShownToast, shownToasts } from './toast-store.ts';
import classes from './toasts.module.css';

const ICON: Record<ShownToast['kind'], IconName> = { error: 'err', good: 'check', info: 'info' };

/**
 * Mounted once, in the frame. Errors interrupt a screen reader; results do not. `@mantine/notifications` is not used:
 * it queues messages beyond its limit, so that errors would hide an offer to restore.
 */
export function Toasts() {
  const toasts = useStore(shownToasts);
  // While a person reads or reaches for a button, no toast is dismissed.
  const [isHeld, setHeld] = useState(false);
  return (
    <section
      aria-label={t`Messages`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {toasts.map(toast => (
        <ToastCard key={toast.id} toast={toast} isHeld={isHeld} />
      ))}
    </section>
  );
}

function ToastCard({ toast, isHeld }: { toast: ShownToast; isHeld: boolean }) {
  const { id, kind, title, detail, code, actions = [] } = toast;
  const lifeMs = lifeOf(toast);
  useEffect(() => {
    if (isHeld || lifeMs === null) return;
    const timer = setTimeout(() => dismissToast(id), lifeMs);
    return () => clearTimeout(timer);
  }, [id, isHeld, lifeMs]);
  return (
    <Notification
      role={kind === 'error' ? 'alert' : 'status'}
      mod={{ kind }}
      icon={<Icon name={ICON[kind]} />}
      title={title}
      closeButtonProps={{ 'aria-label': t`Dismiss`, icon: <Icon name="x" size={12} />, title: t`Dismiss` }}
      onClose={() => dismissToast(id)}
    >
      {detail}
      {(actions.length > 0 || code) && (
        <span className={classes.foot}>
          {actions.map(action => (
            <Button
              key={action.label}
              small
              onClick={() => {
                dismissToast(id);
                action.onSelect();
              }}
            >
              {action.label}
            </Button>
          ))}
          {code && <span className={`t-3 mono t-11 ${classes.code}`}>{code}</span>}
        </span>
      )}
    </Notification>
  );
}

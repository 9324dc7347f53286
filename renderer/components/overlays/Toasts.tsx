import { useStore } from '../../state/store.ts';
import { Button, IconButton } from '../controls/Button.tsx';
import { Icon, type IconName } from '../controls/Icon.tsx';
import { dismissToast, type ShownToast, shownToasts } from './toast-store.ts';

const ICON: Record<ShownToast['kind'], IconName> = { error: 'err', good: 'check', info: 'info' };
const CLASS: Record<ShownToast['kind'], string> = { error: 'err', good: 'good', info: '' };

/** Mounted once, in the frame. Errors interrupt a screen reader; results do not. */
export function Toasts() {
  const toasts = useStore(shownToasts);
  return (
    <section className="toasts" aria-label="Messages">
      {toasts.map(toast => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastCard({ toast }: { toast: ShownToast }) {
  const actions = toast.actions ?? [];
  return (
    <div className={`toast ${CLASS[toast.kind]}`} role={toast.kind === 'error' ? 'alert' : 'status'}>
      <Icon name={ICON[toast.kind]} />
      <b className="wrap">{toast.title}</b>
      <IconButton
        className="x"
        icon="x"
        iconSize={12}
        label="Dismiss"
        onClick={() => dismissToast(toast.id)}
      />
      {toast.detail && <div className="t-2 wrap">{toast.detail}</div>}
      {(actions.length > 0 || toast.code) && (
        <div className="row foot">
          {actions.map(action => (
            <Button
              key={action.label}
              small
              onClick={() => {
                dismissToast(toast.id);
                action.onSelect();
              }}
            >
              {action.label}
            </Button>
          ))}
          <span className="spacer" />
          {toast.code && <span className="t-3 mono t-11">{toast.code}</span>}
        </div>
      )}
    </div>
  );
}

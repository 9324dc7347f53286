import type { ReactNode } from 'react';
import { Icon, type IconName } from '../controls/Icon.tsx';

interface EmptyStateProps {
  icon: IconName;
  /** Reason why nothing is shown. */
  title: string;
  children?: ReactNode;
  /** Buttons for the next step. */
  actions?: ReactNode;
}

export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className="empty">
      <Icon name={icon} size={24} className="empty-icon" />
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && actions !== false && <div className="row">{actions}</div>}
    </div>
  );
}

import type { ReactNode } from 'react';
import { Icon, type IconName } from '../controls/Icon.tsx';

interface EmptyStateProps {
  icon: IconName;
  /** What is so. */
  title: string;
  children?: ReactNode;
  /** The next step. */
  actions?: ReactNode;
}

/** Says what is so and offers the next step. */
export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className="empty">
      <Icon name={icon} size={24} className="i-big" />
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && actions !== false && <div className="row">{actions}</div>}
    </div>
  );
}

import type { ComponentProps } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import { Kbd } from './Kbd.tsx';
import { keysHere } from './platform.ts';

interface Look {
  /** One primary button in a view; danger only for what cannot be undone. */
  variant?: 'plain' | 'primary' | 'ghost' | 'danger';
  small?: boolean;
}

interface ButtonProps extends ComponentProps<'button'>, Look {
  icon?: IconName;
  /** Shown on the button; handled elsewhere. */
  shortcut?: string;
  /** The action is in progress: disabled, and `aria-busy`. */
  busy?: boolean;
}

/** Also for links that look like buttons. */
export function buttonClass({ variant = 'plain', small = false }: Look, extra = ''): string {
  return ['btn', variant === 'plain' ? '' : variant, small ? 's' : '', extra].filter(Boolean).join(' ');
}

export function Button({
  variant = 'plain',
  small = false,
  icon,
  shortcut,
  busy = false,
  className = '',
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ variant, small }, className)}
      disabled={busy || rest.disabled}
      aria-busy={busy || undefined}
    >
      {icon && <Icon name={icon} size={small ? 12 : 14} />}
      {children}
      {shortcut && <Kbd>{shortcut}</Kbd>}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'>, Look {
  icon: IconName;
  /** The accessible name, and the tooltip. */
  label: string;
  shortcut?: string;
  iconSize?: 12 | 14 | 16;
}

export function IconButton({
  icon,
  label,
  shortcut,
  variant = 'ghost',
  small = true,
  iconSize = 14,
  className = '',
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={shortcut ? `${label}  ${keysHere(shortcut)}` : label}
      {...rest}
      className={buttonClass({ variant, small }, `icon ${className}`)}
    >
      <Icon name={icon} size={iconSize} />
    </button>
  );
}

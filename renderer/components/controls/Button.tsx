import type { ComponentProps } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import { Kbd } from './Kbd.tsx';
import { keysHere } from './platform.ts';

interface Look {
  /** One primary in a view; danger only where something is lost for good. */
  variant?: 'plain' | 'primary' | 'ghost' | 'danger';
  small?: boolean;
}

interface ButtonProps extends ComponentProps<'button'>, Look {
  icon?: IconName;
  /** The shortcut that does the same. */
  shortcut?: string;
  /** Its work is under way: it cannot be pressed again, and says so. */
  busy?: boolean;
}

/** For links that look like buttons, and for the two buttons below. */
export function buttonClass({ variant = 'plain', small = false }: Look, extra = ''): string {
  return ['btn', variant === 'plain' ? '' : variant, small ? 's' : '', extra].filter(Boolean).join(' ');
}

/** Says what it does and to how many. */
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
  /** What it does; read aloud and shown on hover. */
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

import { ActionIcon, Button as MantineButton, Tooltip } from '@mantine/core';
import type { ComponentProps } from 'react';
import classes from './button.module.css';
import { Icon, type IconName } from './Icon.tsx';
import { Kbd } from './Kbd.tsx';

interface Look {
  /** Use one primary button in a view, and `danger` only for actions that cannot be undone. */
  variant?: 'plain' | 'primary' | 'ghost' | 'danger' | undefined;
  small?: boolean | undefined;
  icon?: IconName | undefined;
  /** Only shown on the button; the shortcut is handled elsewhere. */
  shortcut?: string | undefined;
}

/** Without `color`, which is a style property of Mantine. */
type Native<Tag extends 'a' | 'button'> = Omit<ComponentProps<Tag>, 'color'>;

interface ButtonProps extends Native<'button'>, Look {
  /** The action is in progress: disabled, and `aria-busy`. */
  busy?: boolean;
}

const VARIANT = { plain: 'default', primary: 'filled', ghost: 'subtle', danger: 'danger' } as const;

function lookOf({ variant = 'plain', small = false, icon, shortcut }: Look, className: string) {
  return {
    variant: VARIANT[variant],
    size: small ? 'xs' : 'sm',
    className: `btn ${classes.button} ${className}`,
    classNames: { label: classes.label ?? '' },
    leftSection: icon && <Icon name={icon} size={small ? 12 : 14} />,
    rightSection: shortcut && <Kbd>{shortcut}</Kbd>,
  };
}

export function Button({
  variant,
  small,
  icon,
  shortcut,
  busy = false,
  disabled,
  className = '',
  ...rest
}: ButtonProps) {
  return (
    <MantineButton
      {...rest}
      {...lookOf({ variant, small, icon, shortcut }, className)}
      disabled={busy || disabled === true}
      aria-busy={busy || undefined}
    />
  );
}

/** A link that looks like a button. */
export function ButtonLink({ variant, small, icon, className = '', ...rest }: Native<'a'> & Look) {
  return <MantineButton component="a" {...rest} {...lookOf({ variant, small, icon }, className)} />;
}

interface IconButtonProps extends Omit<Native<'button'>, 'children'>, Look {
  icon: IconName;
  /** The accessible name, and the tooltip. */
  label: string;
  iconSize?: 12 | 14 | 16;
}

export function IconButton({
  icon,
  label,
  shortcut,
  variant = 'ghost',
  small = true,
  iconSize = 14,
  disabled = false,
  className = '',
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip
      label={
        <>
          {label}
          {shortcut !== undefined && <Kbd>{shortcut}</Kbd>}
        </>
      }
    >
      <ActionIcon
        aria-label={label}
        {...rest}
        disabled={disabled}
        variant={VARIANT[variant]}
        size={small ? 'sm' : 'md'}
        className={`btn ${classes.icon} ${className}`}
      >
        <Icon name={icon} size={iconSize} />
      </ActionIcon>
    </Tooltip>
  );
}

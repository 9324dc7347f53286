import { Menu as MantineMenu } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from '../controls/Icon.tsx';
import { Kbd } from '../controls/Kbd.tsx';
import classes from './menu.module.css';

export interface MenuItem {
  label: string;
  onSelect: () => void;
  icon?: IconName;
  shortcut?: string;
  disabled?: boolean;
  danger?: boolean;
}

interface MenuProps {
  target: ReactElement;
  /** Separated by a divider. */
  groups: readonly (readonly MenuItem[])[];
  /** Text above the items. */
  note?: ReactNode;
  align?: 'start' | 'end';
  width?: number;
}

export const menuClasses = {
  dropdown: classes.menu ?? '',
  item: classes.item ?? '',
  itemLabel: classes.text ?? '',
  label: classes.label ?? '',
  divider: classes.divider ?? '',
};

/** A menu with arrow keys and type-ahead; on close the focus returns to the button. */
export function Menu({ target, groups, note, align = 'end', width }: MenuProps) {
  return (
    <MantineMenu
      position={`bottom-${align}`}
      {...(width !== undefined && { width })}
      withInitialFocusPlaceholder={false}
      classNames={menuClasses}
    >
      <MantineMenu.Target>{target}</MantineMenu.Target>
      <MantineMenu.Dropdown>
        {note !== undefined && <MantineMenu.Label>{note}</MantineMenu.Label>}
        <MenuGroups groups={groups} />
      </MantineMenu.Dropdown>
    </MantineMenu>
  );
}

/** The items of a menu, with a divider between groups. */
export function MenuGroups({ groups }: Pick<MenuProps, 'groups'>) {
  const filled = groups.filter(group => group.length > 0);
  return filled.map((group, index) => [
    index > 0 && <MantineMenu.Divider key={`gap ${group[0]?.label}`} />,
    ...group.map(item => (
      <MantineMenu.Item
        key={item.label}
        mod={{ danger: item.danger }}
        disabled={item.disabled ?? false}
        leftSection={item.icon && <Icon name={item.icon} size={14} />}
        rightSection={item.shortcut && <Kbd>{item.shortcut}</Kbd>}
        onClick={item.onSelect}
      >
        {item.label}
      </MantineMenu.Item>
    )),
  ]);
}

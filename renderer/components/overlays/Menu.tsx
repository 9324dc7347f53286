import { Menu as MantineMenu } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from '../controls/Icon.tsx';
import { Kbd } from '../controls/Kbd.tsx';

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

/** Moved through by arrow keys and type-ahead; focus returns to the button. */
export function Menu({ target, groups, note, align = 'end', width }: MenuProps) {
  const filled = groups.filter(group => group.length > 0);
  return (
    <MantineMenu
      position={`bottom-${align}`}
      offset={6}
      transitionProps={{ duration: 0 }}
      returnFocus
      withInitialFocusPlaceholder={false}
    >
      <MantineMenu.Target>{target}</MantineMenu.Target>
      <MantineMenu.Dropdown className="pop menu" style={{ position: 'absolute', width }}>
        {note !== undefined && <div className="menu-label">{note}</div>}
        {filled.map((group, index) => [
          index > 0 && <MantineMenu.Divider key={`gap ${group[0]?.label}`} className="menu-divider" />,
          ...group.map(item => (
            <MantineMenu.Item
              key={item.label}
              className={`menu-item ${item.danger ? 'danger' : ''}`}
              disabled={item.disabled ?? false}
              onClick={item.onSelect}
            >
              {item.icon && <Icon name={item.icon} size={14} />}{' '}
              <span className="menu-text">{item.label}</span>
              {item.shortcut && <Kbd>{item.shortcut}</Kbd>}
            </MantineMenu.Item>
          )),
        ])}
      </MantineMenu.Dropdown>
    </MantineMenu>
  );
}

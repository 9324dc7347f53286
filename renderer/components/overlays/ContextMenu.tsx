import { Menu as MantineMenu } from '@mantine/core';
import { MenuGroups, type MenuItem, menuClasses } from './Menu.tsx';
import classes from './menu.module.css';

interface ContextMenuProps {
  /** Place in the window, px. */
  at: { x: number; y: number };
  /** The accessible name. */
  label: string;
  groups: readonly (readonly MenuItem[])[];
  onClose: () => void;
}

/** A menu where the pointer was pressed. */
export function ContextMenu({ at, label, groups, onClose }: ContextMenuProps) {
  return (
    <MantineMenu
      opened
      onChange={opened => !opened && onClose()}
      position="bottom-start"
      offset={0}
      withInitialFocusPlaceholder={false}
      classNames={menuClasses}
    >
      <MantineMenu.Target>
        <button
          type="button"
          tabIndex={-1}
          className={classes.anchor}
          aria-label={label}
          style={{ left: at.x, top: at.y }}
        />
      </MantineMenu.Target>
      <MantineMenu.Dropdown>
        <MenuGroups groups={groups} />
      </MantineMenu.Dropdown>
    </MantineMenu>
  );
}

import { Popover as MantinePopover } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

interface PopoverProps {
  /** The button it hangs from; toggle `opened` in its onClick. */
  target: ReactElement;
  opened: boolean;
  onChange: (opened: boolean) => void;
  /** Names it for a screen reader. */
  label: string;
  width?: number;
  children: ReactNode;
}

/** A small form or explanation beside a control. Escape and a click outside close it; focus returns. */
export function Popover({ target, opened, onChange, label, width = 320, children }: PopoverProps) {
  return (
    <MantinePopover
      opened={opened}
      onChange={onChange}
      position="bottom-end"
      offset={6}
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <MantinePopover.Target>{target}</MantinePopover.Target>
      <MantinePopover.Dropdown
        className="pop"
        aria-label={label}
        // Its own name, not that of the button it hangs from.
        aria-labelledby={undefined}
        style={{ width, position: 'absolute', padding: 12 }}
      >
        {children}
      </MantinePopover.Dropdown>
    </MantinePopover>
  );
}

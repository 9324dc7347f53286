import { Popover as MantinePopover } from '@mantine/core';
import { type ReactElement, type ReactNode, useId } from 'react';

interface PopoverProps {
  /** The button that opens it; toggle `opened` in its onClick. */
  target: ReactElement;
  opened: boolean;
  onChange: (opened: boolean) => void;
  /** The accessible name. */
  label: string;
  width?: number;
  children: ReactNode;
}

/** A small form or explanation beside a control. Escape and a click outside close it; focus returns. */
export function Popover({ target, opened, onChange, label, width = 320, children }: PopoverProps) {
  const id = useId();
  return (
    <MantinePopover
      opened={opened}
      onChange={onChange}
      position="bottom-end"
      width={width}
      trapFocus
      returnFocus
    >
      <MantinePopover.Target>{target}</MantinePopover.Target>
      {/* Without a name of its own the popover would have the name of its button. */}
      <MantinePopover.Dropdown aria-labelledby={id} p={12}>
        <span id={id} hidden>
          {label}
        </span>
        {children}
      </MantinePopover.Dropdown>
    </MantinePopover>
  );
}

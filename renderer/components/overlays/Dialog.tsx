import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog.module.css';
import { useTopmost } from './use-topmost.ts';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Width in CSS pixels; never wider than the window. */
  width?: number;
  children: ReactNode;
  /** Buttons, the primary one last. */
  footer?: ReactNode;
  /** Escape and clicks outside do not close the dialog, while its work is in progress. */
  locked?: boolean;
  /** Opens above another dialog. */
  above?: boolean;
}

/** Focus moves to the element with `data-autofocus`, is trapped, and returns. Escape and a click outside close the dialog. */
export function Dialog({
  opened,
  onClose,
  title,
  width = 520,
  children,
  footer,
  locked = false,
  above = false,
}: DialogProps) {
  const isTopmost = useTopmost(opened);
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      centered
      closeOnEscape={!locked && isTopmost}
      closeOnClickOutside={!locked}
      size={`min(${width}px, calc(100vw - 64px))`}
      radius="lg"
      yOffset={40}
      {...(above && { zIndex: 45 })}
      classNames={{ content: classes.dialog ?? '', body: classes.body ?? '' }}
    >
      <Modal.Overlay backgroundOpacity={1} color="var(--scrim)" />
      <Modal.Content>
        <div className={classes.head}>
          <Modal.Title className="t-title">{title}</Modal.Title>
        </div>
        <Modal.Body>{children}</Modal.Body>
        {footer !== undefined && <div className={classes.foot}>{footer}</div>}
      </Modal.Content>
    </Modal.Root>
  );
}

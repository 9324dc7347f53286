import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
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

/**
 * Focus moves to the element with `data-autofocus`, is trapped, and returns. Escape and a click outside close the
 * dialog. Scroll lock is off: it would inject a style element, which the content security policy forbids, and only the
 * page's own panes scroll, under the scrim.
 */
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
      lockScroll={false}
      closeOnEscape={!locked && isTopmost}
      closeOnClickOutside={!locked}
      transitionProps={{ duration: 0 }}
      classNames={{ inner: above ? 'scrim above' : 'scrim', content: 'dialog' }}
      styles={{ content: { width: `min(${width}px, calc(100vw - 64px))` } }}
    >
      <Modal.Content>
        <div className="dialog-head">
          <Modal.Title className="t-title">{title}</Modal.Title>
        </div>
        <Modal.Body className="body">{children}</Modal.Body>
        {footer !== undefined && <div className="dialog-foot">{footer}</div>}
      </Modal.Content>
    </Modal.Root>
  );
}

import { t } from '@lingui/core/macro';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { IconButton } from '../../../components/controls/Button.tsx';
import {
  activateTab,
  closeTab,
  moveTab,
  openTab,
  stepTab,
  useTabs,
} from '../../../components/navigation/tabs.ts';
import { useShortcuts } from '../../../components/shortcuts/use-shortcuts.ts';
import classes from './tab-strip.module.css';

const MIDDLE = 1;

/**
 * The tabs of the window, shown if there is more than one, with the keys and clicks that open, close and choose them.
 */
export function TabStrip() {
  const { list, active } = useTabs();
  const strip = useRef<HTMLDivElement>(null);
  useLinksInTabs();
  // The browser reserves Ctrl+T, Ctrl+W and Ctrl+Tab.
  useShortcuts(
    {
      'alt+t': () => openTab(),
      'alt+w': () => closeTab(),
      'alt+pagedown': () => stepTab(1),
      'alt+pageup': () => stepTab(-1),
    },
    { reach: 'window' },
  );
  if (list.length === 1) return null;

  function press(event: KeyboardEvent, id: number): void {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : null;
    if (event.key === 'Delete') closeTab(id);
    else if (step === null || event.altKey) return;
    else if (event.ctrlKey || event.metaKey) moveTab(id, step);
    else stepTab(step);
    event.preventDefault();
    event.stopPropagation();
    requestAnimationFrame(() =>
      strip.current?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus(),
    );
  }
  return (
    <div className={classes.strip}>
      <div className={classes.tabs}>
        {/* A tablist contains tabs only; each close button is laid over the end of its tab. */}
        <div ref={strip} className={classes.list} role="tablist" aria-label={t`Open tabs`}>
          {list.map(({ id, title }, i) => (
            <button
              key={id}
              type="button"
              role="tab"
              aria-selected={id === active}
              aria-keyshortcuts="Delete"
              className={classes.tab}
              style={{ gridColumn: i + 1 }}
              tabIndex={id === active ? 0 : -1}
              title={title}
              onClick={() => activateTab(id)}
              onAuxClick={event => event.button === MIDDLE && closeTab(id)}
              onKeyDown={event => press(event, id)}
            >
              {title}
            </button>
          ))}
        </div>
        {list.map(({ id, title }, i) => (
          <IconButton
            key={id}
            icon="x"
            iconSize={12}
            label={t`Close ${title}`}
            className={classes.close}
            style={{ gridColumn: i + 1 }}
            tabIndex={-1}
            onClick={() => closeTab(id)}
          />
        ))}
      </div>
      <IconButton icon="plus" iconSize={12} label={t`New tab`} shortcut="Alt T" onClick={() => openTab()} />
    </div>
  );
}

/** A middle click, or a click with Ctrl or Command, on a link of the window opens a tab in the background. */
function useLinksInTabs(): void {
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const isAsked = event.type === 'auxclick' ? event.button === MIDDLE : event.ctrlKey || event.metaKey;
      if (!isAsked || event.shiftKey || event.defaultPrevented) return;
      const link = event.target instanceof Element ? event.target.closest('a[href^="#/"]') : null;
      const href = link?.getAttribute('href');
      if (href == null) return;
      event.preventDefault();
      openTab(href, { inBackground: true });
    };
    document.addEventListener('click', onClick);
    document.addEventListener('auxclick', onClick);
    return () => {
      document.removeEventListener('click', onClick);
      document.removeEventListener('auxclick', onClick);
    };
  }, []);
}

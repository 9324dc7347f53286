import {
  createTheme,
  defaultVariantColorsResolver,
  MantineProvider,
  Menu,
  Modal,
  Popover,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { useIsDark } from './theme.ts';

type Colours = Partial<ReturnType<typeof defaultVariantColorsResolver>>;

/** Buttons. Mantine's names of the variants, and `danger`. */
const COLOURS: Readonly<Record<string, Colours>> = {
  default: {
    background: 'var(--bg-panel)',
    hover: 'var(--bg-hover)',
    color: 'var(--ink)',
    border: '1px solid var(--line-2)',
  },
  filled: {
    background: 'var(--accent)',
    hover: 'var(--accent-hover)',
    color: 'var(--accent-ink)',
    border: '1px solid var(--accent)',
  },
  subtle: {
    background: 'transparent',
    hover: 'var(--bg-press)',
    color: 'var(--ink-2)',
    hoverColor: 'var(--ink)',
    border: '1px solid transparent',
  },
  danger: {
    background: 'var(--overdue)',
    hover: 'color-mix(in srgb, var(--overdue) 88%, var(--ink))',
    color: 'var(--bg-panel)',
    border: '1px solid var(--overdue)',
  },
};

const AT_ONCE = { transitionProps: { duration: 0 } };

const theme = createTheme({
  cursorType: 'default',
  respectReducedMotion: true,
  variantColorResolver: input => ({ ...defaultVariantColorsResolver(input), ...COLOURS[input.variant] }),
  components: {
    // Scroll lock is off: it injects a style element, and only the page's own panes scroll, under the scrim.
    ModalRoot: Modal.Root.extend({ defaultProps: { ...AT_ONCE, lockScroll: false, zIndex: 40 } }),
    Menu: Menu.extend({ defaultProps: { ...AT_ONCE, offset: 6, shadow: 'md', radius: 'lg' } }),
    Popover: Popover.extend({ defaultProps: { ...AT_ONCE, offset: 6, shadow: 'md', radius: 'lg' } }),
  },
});

/** Mantine with the look of the tokens. Nothing here writes a style element, so the content security policy stays strict. */
export function MantineTheme({ children }: { children: ReactNode }) {
  const isDark = useIsDark();
  return (
    <MantineProvider
      theme={theme}
      forceColorScheme={isDark ? 'dark' : 'light'}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  );
}

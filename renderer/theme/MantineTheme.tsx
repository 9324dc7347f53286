import { createTheme, defaultVariantColorsResolver, MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { componentDefaults } from './mantine/component-defaults.ts';
import { useIsDark } from './theme.ts';

type Colours = Partial<ReturnType<typeof defaultVariantColorsResolver>>;

/** Variants of buttons: Mantine's names and `danger`. Variants of badges: `tag`, `count`, `production`. */
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
  tag: { background: 'transparent', color: 'var(--ink-2)', border: '1px solid currentColor' },
  count: { background: 'var(--bg-press)', color: 'var(--ink-2)', border: '0' },
  production: { background: 'transparent', color: 'var(--overdue)', border: '1px solid currentColor' },
};

const theme = createTheme({
  cursorType: 'default',
  respectReducedMotion: true,
  variantColorResolver: input => ({ ...defaultVariantColorsResolver(input), ...COLOURS[input.variant] }),
  components: componentDefaults,
});

/** Mantine with the theme's tokens. No style element is written, so that the content security policy stays strict. */
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

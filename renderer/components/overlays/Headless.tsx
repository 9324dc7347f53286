import { HeadlessMantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';

/** Mantine's behaviour (focus, keys, placement) with none of its looks: those are the theme's. */
export function Headless({ children }: { children: ReactNode }) {
  return <HeadlessMantineProvider>{children}</HeadlessMantineProvider>;
}

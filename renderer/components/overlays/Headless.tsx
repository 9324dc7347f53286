import { HeadlessMantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';

/** Mantine's behaviour (focus, keys, placement) without its styles. */
export function Headless({ children }: { children: ReactNode }) {
  return <HeadlessMantineProvider>{children}</HeadlessMantineProvider>;
}

import type { TransProps } from '@lingui/react';
import { TransNoContext } from '@lingui/react/server';
import { i18n } from './i18n.ts';

const lingui = { i18n, _: i18n._.bind(i18n) };

/**
 * A message with elements in it. The macro `Trans` compiles to this component; it needs no provider, because the
 * language is fixed.
 */
export function Trans(props: TransProps) {
  return <TransNoContext {...props} lingui={lingui} />;
}

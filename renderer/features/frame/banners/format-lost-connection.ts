import { t } from '@lingui/core/macro';
import type { ConnectionState } from '../../../api.ts';

type Why = Extract<ConnectionState, { is: 'lost' }>['why'];

export interface ConnectionMessage {
  title: string;
  todo: string;
}

/**
 * Returns the state of the connection and what to do. `asOf`: time of the data shown, epoch ms; null: none is shown.
 */
export function formatLostConnection(why: Why, asOf: string | null, isHome: boolean): ConnectionMessage {
  if (why === 'token refused' && !isHome) {
    return {
      title: t`This store refused the token.`,
      todo: t`A token is valid for the store that issued it. Open that store, or the URL that Sandglass printed, whose token is valid for all.`,
    };
  }
  if (why === 'token refused') {
    return {
      title: t`The engine refused the token.`,
      todo: t`Sandglass was restarted with a new token. Open the URL that it printed.`,
    };
  }
  if (asOf === null) {
    return {
      title: t`Engine not connected. Reconnecting…`,
      todo: t`Start Sandglass if it is stopped. This page reconnects automatically.`,
    };
  }
  return {
    title: t`Connection to the engine lost. Reconnecting…`,
    todo: t`Showing data as of ${asOf}. Changes are disabled until it is connected.`,
  };
}

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
      title: 'This store refused the token.',
      todo: 'A token is valid for the store that issued it. Open that store, or the URL that Sandglass printed, whose token is valid for all.',
    };
  }
  if (why === 'token refused') {
    return {
      title: 'The engine refused the token.',
      todo: 'Sandglass was restarted with a new token. Open the URL that it printed.',
    };
  }
  if (asOf === null) {
    return {
      title: 'Engine not connected. Reconnecting…',
      todo: 'Start Sandglass if it is stopped. This page reconnects automatically.',
    };
  }
  return {
    title: 'Connection to the engine lost. Reconnecting…',
    todo: `Showing data as of ${asOf}. Changes are disabled until it is connected.`,
  };
}

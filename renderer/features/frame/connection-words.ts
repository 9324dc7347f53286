import type { ConnectionState } from '../../api.ts';

type Why = Extract<ConnectionState, { is: 'lost' }>['why'];

export interface ConnectionWords {
  title: string;
  todo: string;
}

/** What happened to the engine and what to do. `asOf`: the time of what is still shown; null: nothing is. */
export function connectionWords(why: Why, asOf: string | null, isHome: boolean): ConnectionWords {
  if (why === 'token refused' && !isHome) {
    return {
      title: 'This store refused this window’s token.',
      todo: 'A token opens the store it was made in and no other, until it is revoked: go to the one it is of, or open the address that Sandglass printed, whose token opens all.',
    };
  }
  if (why === 'token refused') {
    return {
      title: 'The engine refused this window’s token.',
      todo: 'Sandglass was started anew: open the address it printed, which holds the new one.',
    };
  }
  if (asOf === null) {
    return {
      title: 'The engine does not answer. Reconnecting…',
      todo: 'Start Sandglass again if it was stopped; this page then goes on by itself.',
    };
  }
  return {
    title: 'The engine stopped. Reconnecting…',
    todo: `Shown as of ${asOf}; nothing can be changed until it is back.`,
  };
}

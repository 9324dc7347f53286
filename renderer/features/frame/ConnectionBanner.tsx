import { useEffect, useState } from 'react';
import { formatTime } from '../../../shared/model/format.ts';
import { type ConnectionState, reconnectNow, useLive } from '../../api.ts';
import { Button } from '../../components/Button.tsx';
import { useZone } from '../../components/clock.ts';
import { Icon } from '../../components/Icon.tsx';

type LostWhy = Extract<ConnectionState, { is: 'lost' }>['why'];

/** A connection that blinks is not worth alarm: within this it is back before anyone reads it. */
const UNNOTICED_MS = 400;

/** Says that the engine is gone and since when; the page under it is stale and says so by being grey. */
export function ConnectionBanner() {
  const connection = useLive(state => state.connection);
  const known = useLive(state => state.store !== null);
  const [zone] = useZone();
  const since = connection.is === 'lost' ? connection.since : null;
  const noticed = useAfter(since, UNNOTICED_MS);
  if (connection.is !== 'lost' || since === null || !noticed) return null;
  const { title, todo } = words(connection.why, known, formatTime(since, zone));
  return (
    <div className="banner lost" role="alert">
      <Icon name="err" />
      <div className="t">
        <b>{title}</b> {todo}
      </div>
      <Button onClick={reconnectNow}>Try now</Button>
    </div>
  );
}

function words(why: LostWhy, known: boolean, asOf: string): { title: string; todo: string } {
  if (why === 'token refused') {
    return {
      title: 'The engine refused this window’s token.',
      todo: 'Sandglass was started anew: open the address it printed, which holds the new one.',
    };
  }
  if (!known) {
    return {
      title: 'The engine does not answer. Reconnecting…',
      todo: 'Start Sandglass again if it was stopped; this page then goes on by itself.',
    };
  }
  return {
    title: 'The engine stopped. Reconnecting…',
    todo: `What is shown is as of ${asOf}. Nothing can be changed until it is back; this page then goes on by itself.`,
  };
}

/** False until `ms` after `since`; false again as soon as `since` is null. */
function useAfter(since: number | null, ms: number): boolean {
  const [passedFor, setPassedFor] = useState<number | null>(null);
  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(() => setPassedFor(since), Math.max(0, since + ms - Date.now()));
    return () => clearTimeout(timer);
  }, [since, ms]);
  return since !== null && passedFor === since;
}

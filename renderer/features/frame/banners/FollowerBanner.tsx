import { useLive } from '../../../api.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { useZone } from '../../../components/time/clock.ts';
import { formatTime } from '../../../i18n/format.ts';
import { formatFirstCopy, formatFollower } from './format-follower.ts';

/** Reports that the store is a read-only follower, its lag, and since when its leader is silent. */
export function FollowerBanner() {
  const leader = useLive(({ store }) => store?.leader ?? null);
  const isKnown = useLive(({ collections }) => collections !== null);
  const [zone] = useZone();
  if (leader === null) return null;
  const { staleSince, failedReplay } = leader;
  const timeOf = (at: number | undefined | null) => (at == null ? null : formatTime(at, zone));
  const isSilent = isKnown && staleSince !== null;
  const message = isKnown
    ? formatFollower(leader, timeOf(staleSince), timeOf(failedReplay?.at))
    : formatFirstCopy(leader);
  return (
    <div className={`banner ${isSilent ? 'lost' : 'mirror'}`} role={isSilent ? 'alert' : 'status'}>
      <Icon name={isSilent ? 'err' : 'lock'} />
      <div className="banner-text wrap">
        <b>{message.title}</b> {message.todo}
      </div>
      {/* Changes each second, so it is not in a live region. */}
      <span className="t-12 t-2 nowrap" aria-live="off">
        {message.behind}
      </span>
    </div>
  );
}

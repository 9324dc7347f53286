import { formatTime } from '../../../shared/model/format.ts';
import { useLive } from '../../api.ts';
import { Icon } from '../../components/controls/Icon.tsx';
import { useZone } from '../../components/time/clock.ts';
import { firstCopyWords, mirrorWords } from './mirror-words.ts';

/** Says that this store is another's mirror: that nothing is changed here, how far behind it is, and since when it is silent. */
export function MirrorBanner() {
  const leader = useLive(({ store }) => store?.leader ?? null);
  const isKnown = useLive(({ collections }) => collections !== null);
  const [zone] = useZone();
  if (leader === null) return null;
  const { staleSince, failedReplay } = leader;
  const timeOf = (at: number | undefined | null) => (at == null ? null : formatTime(at, zone));
  const isSilent = isKnown && staleSince !== null;
  const words = isKnown
    ? mirrorWords(leader, timeOf(staleSince), timeOf(failedReplay?.at))
    : firstCopyWords(leader);
  return (
    <div className={`banner ${isSilent ? 'lost' : 'mirror'}`} role={isSilent ? 'alert' : 'status'}>
      <Icon name={isSilent ? 'err' : 'lock'} />
      <div className="t wrap">
        <b>{words.title}</b> {words.todo}
      </div>
      {/* Counted every moment: to be looked up, not to be read aloud each time. */}
      <span className="t-12 t-2 nowrap" aria-live="off">
        {words.behind}
      </span>
    </div>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReaperState } from '../../../shared/contract/reaper.ts';
import { useLive, useRefusal } from '../../api.ts';
import { Icon } from '../../components/controls/Icon.tsx';
import { usePlace } from '../../components/navigation/location.ts';
import { Menu, type MenuItem } from '../../components/overlays/Menu.tsx';
import { useAtTick } from '../../components/time/clock.ts';
import { Instant, Upcoming } from '../../components/time/Time.tsx';
import { formatLag } from '../../i18n/format.ts';
import { formatHold } from '../../i18n/format-hold.ts';
import { formatOff, formatReaper, isPausedHere, type ReaperStatus } from './format-reaper.ts';
import { pauseReaper, resumeReaper, runPass } from './reaper-actions.ts';

const ICON = { running: 'running', paused: 'paused', held: 'held', failing: 'err', off: 'off' } as const;

/** The state of the reaper, in the top bar; its menu pauses and resumes it. */
export function ReaperButton() {
  const reaper = useLive(state => state.reaper);
  const lost = useLive(({ connection }) => connection.is === 'lost');
  if (lost) return <StaticStatus word={t`Unknown`} detail={t`engine stopped`} />;
  if (reaper?.state === 'off') return <StaticStatus {...formatOff(reaper)} />;
  if (reaper?.state === 'engine') return <EngineStatus />;
  return reaper === null ? <span className="reaper" aria-hidden="true" /> : <Known reaper={reaper} />;
}

/** Shown for a remote engine, which removes by itself: its name and its round-trip time. */
function EngineStatus() {
  const remote = useLive(state => state.remote);
  if (remote === null) return null;
  if (remote.unreachable !== null) return <StaticStatus word={remote.server} detail={t`cannot be reached`} />;
  return (
    <span
      className="reaper"
      data-s="running"
      role="status"
      title={t`The server removes at each deadline by itself`}
    >
      <Icon name="conn" size={12} />
      <b>{remote.server}</b>
      <span className="t-3 ell">
        {remote.roundTripMs === null ? t`removes by itself` : t`ping ${formatLag(remote.roundTripMs)}`}
      </span>
    </span>
  );
}

/** Shown while the state is unknown, and for a read-only store, which removes nothing. */
function StaticStatus({ word, detail }: Pick<ReaperStatus, 'word' | 'detail'>) {
  return (
    <span className="reaper" data-s="unknown" role="status">
      <Icon name="off" size={12} />
      <b>{word}</b>
      <span className="t-3 ell">{detail}</span>
    </span>
  );
}

function Known({ reaper }: { reaper: ReaperState }) {
  const { path } = usePlace();
  const here = path[0] === 'collections' ? (path[1] ?? null) : null;
  const status = useStatus(reaper, here);
  const paused = reaper.paused !== null;
  const mayConfigure = useRefusal('reaper.pause') === null;
  const items: MenuItem[] = [
    paused
      ? { label: t`Resume`, icon: 'running', shortcut: 'Ctrl ⇧ P', onSelect: () => void resumeReaper() }
      : { label: t`Pause`, icon: 'paused', shortcut: 'Ctrl ⇧ P', onSelect: () => void pauseReaper() },
    { label: t`Run a pass now`, icon: 'next', shortcut: 'Ctrl ⇧ R', onSelect: () => void runPass() },
  ];
  if (here !== null && isPausedHere(reaper, here)) {
    items.unshift({
      label: t`Resume ${here}`,
      icon: 'running',
      onSelect: () => void resumeReaper({ collection: here }),
    });
  }
  return (
    <Menu
      width={280}
      groups={mayConfigure ? [items] : []}
      note={<MenuNote reaper={reaper} />}
      target={
        <button
          type="button"
          className="reaper"
          data-s={status.state}
          title={t`Removes documents whose deadline has passed`}
        >
          <Icon name={ICON[status.state]} size={12} />
          <b>{status.word}</b>
          <span className="t-3 ell">{status.detail}</span>
          <Icon name="down" size={12} />
        </button>
      }
    />
  );
}

/** The state is selected as one string: the button is rendered again only when its text changes. */
function useStatus(reaper: ReaperState, here: string | null): ReaperStatus {
  const text = useAtTick(now => {
    const { state, word, detail } = formatReaper(reaper, now, here);
    return `${state}\n${word}\n${detail}`;
  });
  const [state, word = '', detail = ''] = text.split('\n');
  return { state: isStandstill(state) ? state : 'running', word, detail };
}

function isStandstill(state: string | undefined): state is 'paused' | 'held' | 'failing' {
  return state === 'paused' || state === 'held' || state === 'failing';
}

function MenuNote({ reaper }: { reaper: ReaperState }) {
  const runs = reaper.state === 'running';
  const elsewhere = reaper.pausedCollections.length + reaper.pausedIndexes.length;
  return (
    <>
      {reaper.paused && (
        <p>
          <Trans>
            Paused by {reaper.paused.by} since <Instant at={reaper.paused.since} />.
          </Trans>
        </p>
      )}
      {reaper.problem && <p className="wrap">{reaper.problem.message}</p>}
      {reaper.holds.map(hold => (
        <p key={hold.id} className="wrap">
          {formatHold(hold)}
        </p>
      ))}
      {runs && reaper.nextWakeAt !== null && (
        <p>
          <Trans>
            Removes at each deadline; the next is due <Upcoming at={reaper.nextWakeAt} />.
          </Trans>
        </p>
      )}
      {runs && reaper.nextWakeAt === null && <p>{t`No document has a deadline.`}</p>}
      {elsewhere > 0 && (
        <p className="wrap">
          <Trans>
            Also paused:{' '}
            {[
              ...reaper.pausedCollections.map(({ collection }) => collection),
              ...reaper.pausedIndexes.map(({ collection, index }) => `${collection}.${index}`),
            ].join(', ')}
            .
          </Trans>
        </p>
      )}
    </>
  );
}

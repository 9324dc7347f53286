import { formatCount } from '../../../../shared/model/format.ts';
import { client, useLive } from '../../../api.ts';
import { useAtTick, useZone } from '../../../components/time/clock.ts';
import { beginWork, type LedgerTarget } from '../expired-entries/expired-jobs.ts';
import { nameToType, spanInWords, targetInWords } from '../expired-entries/format-expired.ts';
import { PurgeDialog } from './PurgeDialog.tsx';

interface LedgerPurgeProps {
  /** Null while nothing is asked. */
  target: LedgerTarget | null;
  onClose: () => void;
}

/** Lets go of restorable copies now: of those chosen, of a span, or of all. */
export function LedgerPurge({ target, onClose }: LedgerPurgeProps) {
  const store = useLive(state => state.store?.name ?? '');
  const [zone] = useZone();
  const asked = target ?? { everything: true as const };
  const span = useAtTick(now => spanInWords(asked, Math.floor(now / 1000) * 1000, zone));
  const { name, of } = nameToType(asked, store);

  async function purge(): Promise<void> {
    const job = await client.expired.purge(
      'chosen' in asked
        ? { what: { ids: [...asked.chosen.keys()] } }
        : 'span' in asked
          ? { what: asked.span }
          : {},
    );
    beginWork({ job, target: asked, expiration: null });
  }
  return (
    <PurgeDialog
      opened={target !== null}
      title={`Purge ${targetInWords(asked)} now?`}
      name={name}
      of={of}
      button={'chosen' in asked ? `Purge ${formatCount(asked.chosen.size)}` : 'Purge all'}
      purge={purge}
      onClose={onClose}
    >
      {span !== '' && <p className="t-2 wrap">Those {span}.</p>}
    </PurgeDialog>
  );
}

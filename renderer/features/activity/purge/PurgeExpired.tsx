import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { client, useLive } from '../../../api.ts';
import { useAtTick, useZone } from '../../../components/time/clock.ts';
import { formatCount } from '../../../i18n/format.ts';
import { type ExpiredTarget, setExpiredJob } from '../expired-model/expired-jobs.ts';
import { formatSpan, formatTarget, nameToType } from '../expired-model/format-expired.ts';
import { PurgeDialog } from './PurgeDialog.tsx';

interface PurgeExpiredProps {
  /** Null: the dialog is closed. */
  target: ExpiredTarget | null;
  onClose: () => void;
}

/** Purges restorable copies now: of selected entries, of a span, or all. */
export function PurgeExpired({ target, onClose }: PurgeExpiredProps) {
  const store = useLive(state => state.store?.name ?? '');
  const [zone] = useZone();
  const asked = target ?? { everything: true as const };
  const span = useAtTick(now => formatSpan(asked, Math.floor(now / 1000) * 1000, zone));
  const { name, of } = nameToType(asked, store);
  const documents = formatTarget(asked);

  async function purge(): Promise<void> {
    const job = await client.expired.purge(
      'chosen' in asked
        ? { what: { ids: [...asked.chosen.keys()] } }
        : 'span' in asked
          ? { what: asked.span }
          : {},
    );
    setExpiredJob({ job, target: asked, expiration: null });
  }
  return (
    <PurgeDialog
      opened={target !== null}
      title={t`Purge ${documents} now?`}
      name={name}
      of={of}
      button={'chosen' in asked ? t`Purge ${formatCount(asked.chosen.size)}` : t`Purge all`}
      purge={purge}
      onClose={onClose}
    >
      {span !== '' && (
        <p className="t-2 wrap">
          <Trans>Purges {span}.</Trans>
        </p>
      )}
    </PurgeDialog>
  );
}

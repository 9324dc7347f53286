import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { client, useLive } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { here } from '../../../components/navigation/location.ts';
import { usePageCommands } from '../../../components/navigation/page-commands.ts';
import { useSlow } from '../../../components/status/use-slow.ts';
import { now } from '../../../components/time/clock.ts';

import { expiredSource, readExpiredFilter } from '../expired-model/expired-filter.ts';
import { formatRows } from '../history/format-rows.ts';
import { passSource, readPassFilter } from '../passes/pass-source.ts';
import { exportFileName } from './export-file-name.ts';
import { exportHistory, useRunningExport } from './ndjson-export.ts';

/** Downloads the rows of the list. While they are read, shows progress and a cancel button. */
export function ExportButton({ tab }: { tab: 'expired' | 'passes' }) {
  const running = useRunningExport();
  const isSlow = useSlow(running !== null);
  const lost = useLive(({ connection }) => connection.is === 'lost');
  const store = useLive(state => state.store?.name ?? 'store');
  const disabled = lost || running !== null;
  usePageCommands([{ label: t`Export as NDJSON`, icon: 'download', disabled, run: start }]);
  if (running !== null && isSlow) {
    return (
      <span className="row">
        <span className="t-12 t-2 nowrap">
          <Trans>Exporting {formatRows(running.rows, running.what)}…</Trans>
        </span>
        <Button small onClick={running.cancel}>{t`Cancel`}</Button>
      </span>
    );
  }
  function start(): void {
    const { query } = here();
    const name = exportFileName(store, tab, now());
    if (tab === 'expired') {
      const source = expiredSource(readExpiredFilter(query), client.metrics.expired);
      void exportHistory(source, 'entries', name);
    } else void exportHistory(passSource(readPassFilter(query), client.reaper.passes), 'passes', name);
  }
  return <Button small icon="download" disabled={disabled} onClick={start}>{t`Export as NDJSON`}</Button>;
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useWords } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { focusOnMount } from '../../../components/controls/focus.ts';
import { Meter } from '../../../components/figures/Meter.tsx';
import { showToast } from '../../../components/overlays/toast-store.ts';
import { formatBytes, formatCount } from '../../../i18n/format.ts';
import { formatRecordCount } from '../../../i18n/format-engine-words.ts';
import type { ImportEnd } from './import-end.ts';
import { type ImportPlan, type ImportProgress, runImport } from './import-run.ts';
import { formatSpeed, importSpeed } from './import-speed.ts';
import { stoppedToast } from './import-stopped.ts';

/** Runs a plan once. Its progress counts durable documents. */
export function ImportRunning({ plan, onEnd }: { plan: ImportPlan; onEnd: (end: ImportEnd) => void }) {
  const [progress, setProgress] = useState<ImportProgress | null>(null);
  const [cancel] = useState(() => new AbortController());
  const finish = useEffectEvent(onEnd);
  const started = useRef(false);
  const isShown = useRef(true);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    void runImport(plan, cancel.signal, setProgress).then(end => {
      const toast = isShown.current ? null : stoppedToast(plan.file.name, end);
      if (toast !== null) showToast(toast);
      finish(end);
    });
  }, [plan, cancel]);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  const words = useWords();
  const { bytesRead = 0, job = null } = progress ?? {};
  const speed = progress === null ? null : importSpeed(progress, plan.file.size);
  const written = (job?.inserted ?? 0) + (job?.updated ?? 0);
  return (
    <>
      <div className="form">
        <Meter label={t`Importing ${plan.file.name}`} done={bytesRead} total={plan.file.size} />
        <p className="row t-2">
          <span>
            <Trans>
              {formatRecordCount(words, written)} stored, {formatCount(job?.rejectedCount ?? 0)} rejected
            </Trans>
            {speed !== null && <Trans>, {formatSpeed(speed)}</Trans>}
          </span>
          <span className="spacer" />
          <span className="t-3">
            <Trans>
              {formatBytes(bytesRead)} of {formatBytes(plan.file.size)}
            </Trans>
          </span>
        </p>
      </div>
      <div className="row end">
        <Button
          ref={focusOnMount}
          disabled={cancel.signal.aborted}
          onClick={() => cancel.abort()}
        >{t`Cancel`}</Button>
      </div>
    </>
  );
}

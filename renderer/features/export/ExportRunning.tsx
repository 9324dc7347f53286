import { plural, t } from '@lingui/core/macro';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { problemOf } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { focusOnMount } from '../../components/controls/focus.ts';
import { Meter } from '../../components/figures/Meter.tsx';
import type { FileSink } from '../../components/file-sink.ts';
import { showToast } from '../../components/overlays/toast-store.ts';
import { formatBytes, formatCount } from '../../i18n/format.ts';
import { type ExportPlan, fileNameOf } from './export-plan.ts';
import { type ExportEnd, type ExportProgress, runExport } from './export-run.ts';

interface ExportRunningProps {
  plan: ExportPlan;
  sink: FileSink;
  onEnd: (end: ExportEnd) => void;
  /** Called after a cancel or a failure; the failure is already shown. */
  onGivenUp: () => void;
}

function formatProgress(step: ExportProgress['step'], documents: number, total: number | null): string {
  const done =
    total === null
      ? plural(documents, { one: '# document', other: '# documents' })
      : t`${formatCount(documents)} of ${plural(total, { one: '# document', other: '# documents' })}`;
  return step === 'columns' ? t`Finding columns, ${done}` : done;
}

/** Runs the plan once. */
export function ExportRunning({ plan, sink, onEnd, onGivenUp }: ExportRunningProps) {
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const [cancel] = useState(() => new AbortController());
  const started = useRef(false);
  const end = useEffectEvent(onEnd);
  const giveUp = useEffectEvent(onGivenUp);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    const run = async () => {
      try {
        const result = await runExport(plan, sink, cancel.signal, setProgress);
        await sink.close();
        end(result);
      } catch (error) {
        await sink.abort().catch(() => {});
        if (!cancel.signal.aborted) {
          const { message, code } = problemOf(error);
          const name = fileNameOf(plan.collection, plan.scope, plan.format);
          showToast({ kind: 'error', title: t`${name} not written`, detail: message, code });
        }
        giveUp();
      }
    };
    void run();
  }, [plan, sink, cancel]);

  const { step = 'writing', documents = 0, bytes = 0 } = progress ?? {};
  return (
    <>
      <div className="form">
        <Meter label={t`Exporting ${plan.collection}`} done={documents} total={plan.total} />
        <p className="row t-2">
          <span>{formatProgress(step, documents, plan.total)}</span>
          <span className="spacer" />
          {bytes > 0 && <span className="t-3">{formatBytes(bytes)}</span>}
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

import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { problemOf } from '../../api.ts';
import { type FileSink, openFileSink } from '../../components/file-sink.ts';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { showToast } from '../../components/overlays/toast-store.ts';
import { ExportForm } from './ExportForm.tsx';
import { ExportResult } from './ExportResult.tsx';
import { ExportRunning } from './ExportRunning.tsx';
import { type ExportPlan, FORMATS, fileNameOf } from './export-plan.ts';
import { type ExportRequest, requestExport, useExportRequest } from './export-request.ts';
import type { ExportEnd } from './export-run.ts';

type Step =
  | { is: 'asking' }
  | { is: 'running'; plan: ExportPlan; sink: FileSink }
  | { is: 'ended'; plan: ExportPlan; end: ExportEnd };

/** Mounted once; opens when an export is requested. */
export function ExportDialog() {
  const request = useExportRequest();
  return request && <Steps key={request.collection} request={request} />;
}

const close = () => requestExport(null);

function Steps({ request }: { request: ExportRequest }) {
  const [step, setStep] = useState<Step>({ is: 'asking' });
  const { collection } = request;

  async function begin(plan: ExportPlan): Promise<void> {
    const name = fileNameOf(collection, plan.scope, plan.format);
    try {
      const sink = await openFileSink(name, FORMATS[plan.format].type);
      if (sink !== null) setStep({ is: 'running', plan, sink });
    } catch (error) {
      const { message, code } = problemOf(error);
      showToast({ kind: 'error', title: t`${name} not written`, detail: message, code });
    }
  }

  return (
    <Dialog opened onClose={close} title={t`Export ${collection}`} width={560} locked={step.is === 'running'}>
      {step.is === 'asking' && (
        <ExportForm request={request} onCancel={close} onStart={plan => void begin(plan)} />
      )}
      {step.is === 'running' && (
        <ExportRunning
          plan={step.plan}
          sink={step.sink}
          onEnd={end => setStep({ is: 'ended', plan: step.plan, end })}
          onGivenUp={() => setStep({ is: 'asking' })}
        />
      )}
      {step.is === 'ended' && <ExportResult plan={step.plan} end={step.end} onClose={close} />}
    </Dialog>
  );
}

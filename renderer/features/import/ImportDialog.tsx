import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { BadFile } from './BadFile.tsx';
import { FileProblem } from './file/file-problem.ts';
import { type ImportRequest, requestImport, useImportRequest } from './file/import-request.ts';
import { SNIFF_BYTES, type Sniffed, sniff } from './file/sniff.ts';
import { ImportForm } from './form/ImportForm.tsx';
import { ImportResult } from './run/ImportResult.tsx';
import { ImportRunning } from './run/ImportRunning.tsx';
import type { ImportEnd } from './run/import-end.ts';
import type { ImportPlan } from './run/import-run.ts';

/** Steps of an import. */
type Step =
  | { is: 'reading' }
  | { is: 'bad'; problem: FileProblem }
  | { is: 'asking'; sniffed: Sniffed }
  | { is: 'running'; plan: ImportPlan; sniffed: Sniffed }
  | { is: 'ended'; plan: ImportPlan; end: Exclude<ImportEnd, { is: 'declined' }> };

/** Mounted once; opens when a file was dropped or picked. */
export function ImportDialog({ onOpenCollection }: { onOpenCollection: (name: string) => void }) {
  const request = useImportRequest();
  // A new file starts a new import.
  return (
    request && (
      <Steps key={`${request.file.name} ${request.file.lastModified}`} {...{ request, onOpenCollection }} />
    )
  );
}

async function look(file: File): Promise<Step> {
  try {
    const bytes = new Uint8Array(await file.slice(0, SNIFF_BYTES).arrayBuffer());
    return { is: 'asking', sniffed: sniff(bytes, file.size <= SNIFF_BYTES, file.name) };
  } catch (error) {
    if (error instanceof FileProblem) return { is: 'bad', problem: error };
    const what = t`Reading the file failed: ${error instanceof Error ? error.message : String(error)}`;
    return { is: 'bad', problem: new FileProblem(what, null, t`Choose a file, not a folder.`) };
  }
}

interface StepsProps {
  request: ImportRequest;
  onOpenCollection: (name: string) => void;
}

function Steps({ request, onOpenCollection }: StepsProps) {
  const { file } = request;
  const [step, setStep] = useState<Step>({ is: 'reading' });
  const close = () => requestImport(null);
  useEffect(() => {
    let gone = false;
    void look(file).then(next => {
      if (!gone) setStep(next);
    });
    return () => {
      gone = true;
    };
  }, [file]);

  if (step.is === 'reading') return null;
  return (
    <Dialog opened onClose={close} title={t`Import ${file.name}`} width={600} locked={step.is === 'running'}>
      {step.is === 'bad' && <BadFile problem={step.problem} onClose={close} />}
      {step.is === 'asking' && (
        <ImportForm
          request={request}
          sniffed={step.sniffed}
          onCancel={close}
          onStart={plan => setStep({ is: 'running', plan, sniffed: step.sniffed })}
        />
      )}
      {step.is === 'running' && (
        <ImportRunning
          plan={step.plan}
          onEnd={end =>
            setStep(
              end.is === 'declined'
                ? { is: 'asking', sniffed: step.sniffed }
                : { is: 'ended', plan: step.plan, end },
            )
          }
        />
      )}
      {step.is === 'ended' && (
        <ImportResult
          end={step.end}
          collection={step.plan.collection}
          onClose={close}
          onOpen={() => {
            close();
            onOpenCollection(step.plan.collection);
          }}
        />
      )}
    </Dialog>
  );
}

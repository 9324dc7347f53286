import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type Problem, useLive } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import type { Step } from './Steps.tsx';

interface FormFooterProps {
  step: Step;
  isNew: boolean;
  /** Reason why changes are not allowed; null: they are allowed. */
  refusal: string | null;
  canReview: boolean;
  canSend: boolean;
  isSending: boolean;
  problem: Problem | null;
  /** Reason why the form cannot be sent now, if the person cannot remove it. */
  blockedBy: string | null;
  onCancel: () => void;
  onReview: () => void;
  onBack: () => void;
  onSend: () => void;
  onTimeline: () => void;
}

const NEXT_STEP = [
  t`Nothing has changed yet. The count follows the input.`,
  t`The build runs in the background and can be cancelled. Nothing is removed before it is complete.`,
  '',
] as const;

/** Only the index table of a store of Sandglass is built. */
const nextStep = (step: Step, isRemote: boolean) => (isRemote && step === 1 ? '' : NEXT_STEP[step]);

/** Button to the next step. */
export function FormFooter(props: FormFooterProps) {
  const { step, problem } = props;
  const isRemote = useLive(({ remote }) => remote !== null);
  return (
    <div className="foot">
      {props.refusal !== null ? (
        <span className="t-12 t-2 grow wrap">
          <Icon name="lock" size={12} /> {props.refusal}
        </span>
      ) : problem === null ? (
        <span className="t-12 t-3 grow ell">
          {(step === 1 ? props.blockedBy : null) ?? nextStep(step, isRemote)}
        </span>
      ) : (
        <span className="t-12 c-overdue grow wrap" role="alert">
          <Icon name="err" size={12} />{' '}
          <Trans>
            {problem.message} Your input is kept. <span className="mono t-11">{problem.code}</span>
          </Trans>
        </span>
      )}
      {step === 0 && (
        <>
          <Button variant="ghost" onClick={props.onCancel}>{t`Cancel`}</Button>
          <Button
            variant="primary"
            shortcut="Ctrl ↵"
            disabled={!props.canReview}
            onClick={props.onReview}
          >{t`Review…`}</Button>
        </>
      )}
      {step === 1 && (
        <>
          <Button icon="back" onClick={props.onBack}>{t`Back`}</Button>
          <SendButton {...props} />
        </>
      )}
      {step === 2 && <Button onClick={props.onTimeline}>{t`Open the timeline`}</Button>}
    </div>
  );
}

function SendButton({ isNew, canSend, isSending, onSend }: FormFooterProps) {
  return (
    <Button variant="primary" shortcut="Ctrl ↵" disabled={!canSend} busy={isSending} onClick={onSend}>
      {isNew ? t`Create index` : t`Change index`}
    </Button>
  );
}

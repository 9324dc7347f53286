import type { Problem } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import type { Step } from './Steps.tsx';

interface FormFootProps {
  step: Step;
  isNew: boolean;
  /** Why nothing may be changed here; null: it may. */
  refusal: string | null;
  canReview: boolean;
  canSend: boolean;
  isSending: boolean;
  problem: Problem | null;
  /** Why it cannot be sent just now, where that is not for the person to mend. */
  waitsFor: string | null;
  onCancel: () => void;
  onReview: () => void;
  onBack: () => void;
  onSend: () => void;
  onTimeline: () => void;
}

const SAYS = [
  'Nothing has changed yet. Typing re-counts; the last count stays until the new one is exact.',
  'The build runs in the background and can be cancelled; nothing leaves before it is complete.',
  '',
] as const;

/** What happens next, and the button that does it. */
export function FormFoot(props: FormFootProps) {
  const { step, problem } = props;
  return (
    <div className="foot">
      {props.refusal !== null ? (
        <span className="t-12 t-2 grow wrap">
          <Icon name="lock" size={12} /> {props.refusal}
        </span>
      ) : problem === null ? (
        <span className="t-12 t-3 grow ell">{(step === 1 ? props.waitsFor : null) ?? SAYS[step]}</span>
      ) : (
        <span className="t-12 c-overdue grow wrap" role="alert">
          <Icon name="err" size={12} /> {problem.message} What you typed is still here.{' '}
          <span className="mono t-11">{problem.code}</span>
        </span>
      )}
      {step === 0 && (
        <>
          <Button variant="ghost" onClick={props.onCancel}>
            Cancel
          </Button>
          <Button variant="primary" shortcut="Ctrl ↵" disabled={!props.canReview} onClick={props.onReview}>
            Review…
          </Button>
        </>
      )}
      {step === 1 && (
        <>
          <Button icon="back" onClick={props.onBack}>
            Back
          </Button>
          <SendButton {...props} />
        </>
      )}
      {step === 2 && <Button onClick={props.onTimeline}>Open the timeline</Button>}
    </div>
  );
}

function SendButton({ isNew, canSend, isSending, onSend }: FormFootProps) {
  return (
    <Button variant="primary" shortcut="Ctrl ↵" disabled={!canSend} busy={isSending} onClick={onSend}>
      {isNew ? 'Create index' : 'Change index'}
    </Button>
  );
}

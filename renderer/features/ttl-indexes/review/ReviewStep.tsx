import { formatCount } from '../../../../shared/model/format.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { BeforeAfter, type BeforeAfterProps } from './BeforeAfter.tsx';
import { ConfirmByName } from './ConfirmByName.tsx';
import { SameChange } from './EquivalentCalls.tsx';
import { RollOutChoice } from './RollOutChoice.tsx';
import type { RollOut } from './roll-out.ts';
import './review.css';

export interface ReviewStepProps extends BeforeAfterProps {
  /** As it was defined; `definition` has the way it begins in it. */
  defined: ChosenDefinition;
  /** So much leaves at once that the way is asked. */
  asksHow: boolean;
  /** Unconfirmed it would be held [R8]. */
  isOverBreaker: boolean;
  rollOut: RollOut;
  onRollOut: (rollOut: RollOut) => void;
  /** Of the store, ms. */
  batchMs: number | undefined;
  /** What the engine counts by now, where it is no longer what was seen. */
  changedFrom: number | null;
  typedName: string;
  onTypeName: (text: string) => void;
}

/** Before and after; where much leaves at once, how it begins and the name to type; the same change as a call. */
export function ReviewStep(props: ReviewStepProps) {
  const { preview, changedFrom, definition } = props;
  return (
    <div className="rv">
      {changedFrom !== null && <CountMoved from={changedFrom} to={preview.dueAtOnce} />}
      <BeforeAfter {...props} />
      {props.asksHow && (
        <RollOutChoice
          rollOut={props.rollOut}
          onChange={props.onRollOut}
          definition={props.defined}
          preview={preview}
          batchMs={props.batchMs}
        />
      )}
      {props.asksHow && definition.schedule.mode !== 'observe' && <ConfirmByName {...props} />}
      <SameChange {...props} />
    </div>
  );
}

/** What was to be confirmed is no longer so. */
export function CountMoved({ from, to }: { from: number; to: number }) {
  return (
    <div className="note warn" role="alert">
      <Icon name="warn" />
      <span className="grow">
        <b className="t-semi">Nothing was changed yet: the count moved meanwhile.</b> {formatCount(to)}{' '}
        documents would expire at once now, not {formatCount(from)}. Look again, and confirm if it is still
        what you want.
      </span>
    </div>
  );
}

import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useLive } from '../../../api.ts';
import { Note } from '../../../components/status/Note.tsx';
import { formatCount } from '../../../i18n/format.ts';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { BeforeAfter, type BeforeAfterProps } from './BeforeAfter.tsx';
import { ConfirmEffect } from './ConfirmEffect.tsx';
import type { Confirmation } from './confirmation.ts';
import { EquivalentCalls } from './EquivalentCalls.tsx';
import { RollOutChoice } from './RollOutChoice.tsx';
import classes from './review.module.css';
import type { RollOut } from './roll-out.ts';

export interface ReviewStepProps extends BeforeAfterProps {
  /** The definition, without the choice of a roll-out; `definition` includes it. */
  defined: ChosenDefinition;
  /** Whether the effect is so large that a roll-out is chosen. */
  hasRollOut: boolean;
  confirmation: Confirmation;
  rollOut: RollOut;
  onRollOut: (rollOut: RollOut) => void;
  /** Batch time of the store, ms. */
  batchMs: number | undefined;
  /** The count of the engine, if it differs from the one shown. */
  changedFrom: number | null;
  typedName: string;
  onTypeName: (text: string) => void;
  /** Further effects of the removal, such as foreign keys of a table. */
  warnings: ReactNode;
}

/** Present and new values; for a large effect, the roll-out and a confirmation; the change as a call. */
export function ReviewStep(props: ReviewStepProps) {
  const { preview, changedFrom } = props;
  return (
    <div className={classes.review}>
      {changedFrom !== null && <CountMoved from={changedFrom} to={preview.dueAtOnce} />}
      <BeforeAfter {...props} />
      {props.warnings}
      {props.hasRollOut && (
        <RollOutChoice
          rollOut={props.rollOut}
          onChange={props.onRollOut}
          definition={props.defined}
          preview={preview}
          batchMs={props.batchMs}
        />
      )}
      {props.confirmation !== 'none' && (
        <ConfirmEffect {...props} needsName={props.confirmation === 'name'} />
      )}
      <NotRunLive />
      <EquivalentCalls {...props} />
    </div>
  );
}

/** Shown where the statements of the change were not run against a live server of this product. */
function NotRunLive() {
  const finding = useLive(({ remote }) => remote?.findings.find(({ id }) => id === 'not run live'));
  if (finding === undefined) return null;
  return (
    <Note tone="warn">
      <span className="wrap">
        {finding.sentence} {finding.advice}
      </span>
    </Note>
  );
}

/** The effect changed: it must be confirmed again. */
export function CountMoved({ from, to }: { from: number; to: number }) {
  return (
    <Note tone="warn" role="alert">
      <Trans>
        <b className="t-semi">Not changed yet: the count is different now.</b> {formatCount(to)} documents
        would expire at once, not {formatCount(from)}. Review, and confirm again.
      </Trans>
    </Note>
  );
}

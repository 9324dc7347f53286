import { useId } from 'react';
import type { Preview } from '../../../../shared/contract/ttl-indexes.ts';
import { formatCount } from '../../../../shared/model/format.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { removes } from '../format/format-action.ts';
import { formatShare } from '../preview/preview-figures.ts';
import './review.css';

interface ConfirmByNameProps {
  collection: string;
  definition: Pick<ChosenDefinition, 'onExpire' | 'schedule'>;
  preview: Preview;
  /** Above the limit of the circuit breaker: unconfirmed, it would be held [R8]. */
  isOverBreaker: boolean;
  typedName: string;
  onTypeName: (text: string) => void;
}

/** An effect so large that it is confirmed by typing the name of the collection. */
export function ConfirmByName(props: ConfirmByNameProps) {
  const { collection, definition, preview } = props;
  const { onExpire, schedule } = definition;
  const id = useId();
  return (
    <section className="note bad type-name" aria-label="Confirm">
      <Icon name="overdue" />
      <label className="grow wrap" htmlFor={id}>
        This {removes(onExpire, schedule) ? 'removes' : 'acts on'} {formatCount(preview.dueAtOnce)} documents,{' '}
        {formatShare(preview.dueAtOnce / Math.max(1, preview.documents))} of the collection.{' '}
        {props.isOverBreaker &&
          'Above the limit of the circuit breaker: unconfirmed, the store would hold it. '}
        To confirm, type its name: <b className="mono t-semi">{collection}</b>
      </label>
      <input
        id={id}
        className="input mono"
        value={props.typedName}
        autoComplete="off"
        spellCheck={false}
        onChange={event => props.onTypeName(event.target.value)}
      />
    </section>
  );
}

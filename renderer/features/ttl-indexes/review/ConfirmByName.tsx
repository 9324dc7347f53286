import { useId } from 'react';
import type { Preview } from '../../../../shared/contract/ttl-indexes.ts';
import { formatCount } from '../../../../shared/model/format.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { removes } from '../format/format-action.ts';
import { shareText } from '../preview/preview-figures.ts';
import './review.css';

interface ConfirmByNameProps {
  collection: string;
  definition: Pick<ChosenDefinition, 'onExpire' | 'schedule'>;
  preview: Preview;
  /** Unconfirmed it would be held: it is more than the circuit breaker lets pass [R8]. */
  isOverBreaker: boolean;
  typedName: string;
  onTypeName: (text: string) => void;
}

/** Much would leave at once: it is confirmed by typing the collection's name. */
export function ConfirmByName(props: ConfirmByNameProps) {
  const { collection, definition, preview } = props;
  const { onExpire, schedule } = definition;
  const id = useId();
  return (
    <section className="note bad type-name" aria-label="Confirm">
      <Icon name="overdue" />
      <label className="grow wrap" htmlFor={id}>
        This {removes(onExpire, schedule) ? 'removes' : 'acts on'} {formatCount(preview.dueAtOnce)} documents,{' '}
        {shareText(preview.dueAtOnce / Math.max(1, preview.documents))} of the collection.{' '}
        {props.isOverBreaker && 'Unconfirmed, the store would hold it: it is beyond its circuit breaker. '}
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

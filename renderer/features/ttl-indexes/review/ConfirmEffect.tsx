import { useId } from 'react';
import type { Preview } from '../../../../shared/contract/ttl-indexes.ts';
import { formatCount } from '../../../../shared/model/format.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { removes } from '../format/format-action.ts';
import { formatShare } from '../preview/preview-figures.ts';
import './review.css';

interface ConfirmEffectProps {
  collection: string;
  definition: Pick<ChosenDefinition, 'onExpire' | 'schedule'>;
  preview: Preview;
  /** The name of the collection is typed as well [R8]. */
  needsName: boolean;
  typedName: string;
  onTypeName: (text: string) => void;
}

/** An effect above the bounds of the settings, stated beside the button that confirms it [R8]. */
export function ConfirmEffect(props: ConfirmEffectProps) {
  const { collection, definition, preview } = props;
  const { onExpire, schedule } = definition;
  const id = useId();
  const effect = `This ${removes(onExpire, schedule) ? 'removes' : 'acts on'} ${formatCount(preview.dueAtOnce)} documents, ${formatShare(preview.dueAtOnce / Math.max(1, preview.documents))} of the collection.`;
  return (
    <section className="note bad confirm-effect" aria-label="Confirm">
      <Icon name="overdue" />
      {props.needsName ? (
        <>
          <label className="grow wrap" htmlFor={id}>
            {effect} To confirm, type its name: <b className="mono t-semi">{collection}</b>
          </label>
          <input
            id={id}
            className="input mono"
            value={props.typedName}
            autoComplete="off"
            spellCheck={false}
            onChange={event => props.onTypeName(event.target.value)}
          />
        </>
      ) : (
        <span className="grow wrap">{effect}</span>
      )}
    </section>
  );
}

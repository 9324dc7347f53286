import { useId } from 'react';
import { nameProblem } from '../../../../shared/model/names.ts';
import { client, problemOf, useChange } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { useCollectionNames } from '../draft/use-collection-names.ts';

interface MoveTargetProps {
  collection: string;
  value: string;
  onChange: (name: string) => void;
  problem: string | null;
}

/** The collection that documents move to [A4]: an existing or a new one. */
export function MoveTarget({ collection, value, onChange, problem }: MoveTargetProps) {
  const id = useId();
  const names = useCollectionNames();
  const make = useChange({ mutationFn: () => client.collections.create({ name: value }) });
  const others = [...names].filter(name => name !== collection);
  const canMake = value !== '' && nameProblem(value) === null && !names.has(value);
  return (
    <div className="move-target">
      <div className="row">
        <label className="t-2 nowrap" htmlFor={id}>
          To collection
        </label>
        <input
          id={id}
          className="input name"
          value={value}
          placeholder={others[0] ?? `${collection}_archive`}
          list={`${id}-names`}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={problem !== null}
          aria-describedby={`${id}-problem`}
          onChange={event => {
            make.reset();
            onChange(event.target.value);
          }}
        />
        {canMake && (
          <Button busy={make.isPending} onClick={() => make.mutate()}>
            Create it
          </Button>
        )}
      </div>
      <datalist id={`${id}-names`}>
        {others.map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <p id={`${id}-problem`} className="problem" aria-live="polite">
        {make.error === null ? problem : problemOf(make.error).message}
      </p>
    </div>
  );
}

import { t } from '@lingui/core/macro';
import { Autocomplete } from '@mantine/core';
import { nameProblem } from '../../../../shared/model/names.ts';
import { client, problemOf, useChange } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import fields from '../../../components/controls/fields.module.css';
import { useCollectionNames } from '../draft/use-collection-names.ts';
import classes from './index-form.module.css';

interface MoveTargetProps {
  collection: string;
  value: string;
  onChange: (name: string) => void;
  problem: string | null;
}

/** The collection that documents move to [A4]: an existing or a new one. */
export function MoveTarget({ collection, value, onChange, problem }: MoveTargetProps) {
  const names = useCollectionNames();
  const make = useChange({ mutationFn: () => client.collections.create({ name: value }) });
  const others = [...names].filter(name => name !== collection);
  const canMake = value !== '' && nameProblem(value) === null && !names.has(value);
  return (
    <div className={classes.moveTarget}>
      <div className="row">
        <Autocomplete
          className={fields.inline ?? ''}
          label={t`To collection`}
          value={value}
          data={others}
          placeholder={others[0] ?? `${collection}_archive`}
          error={make.error === null ? problem : problemOf(make.error).message}
          onChange={name => {
            make.reset();
            onChange(name);
          }}
        />
        {canMake && <Button busy={make.isPending} onClick={() => make.mutate()}>{t`Create it`}</Button>}
      </div>
    </div>
  );
}

import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Autocomplete } from '@mantine/core';
import { useLive } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { usePlace } from '../../../components/navigation/location.ts';

interface CollectionFieldProps {
  collection: string;
  /** Reason why the name is invalid; null: it is valid. */
  problem: string | null;
  onChange: (collection: string) => void;
}

const CHOICES_SHOWN = 100;

const formatExisting = (count: number) =>
  t`Exists, with ${plural(count, { one: '# document', other: '# documents' })}. Documents with an equal _id are replaced.`;

/** Target collection: preset from the file name, or the open collection. */
export function CollectionField({ collection, problem, onChange }: CollectionFieldProps) {
  const { path } = usePlace();
  const open = path[0] === 'collections' ? path[1] : undefined;
  const collections = useLive(state => state.collections);
  const existing = collections?.get(collection);
  const other = open !== undefined && open !== collection && collections?.has(open) ? open : null;
  return (
    <>
      <Autocomplete
        label={t`Collection`}
        data-autofocus
        data={[...(collections?.keys() ?? [])]}
        limit={CHOICES_SHOWN}
        value={collection}
        error={problem}
        description={
          problem === null && (existing ? formatExisting(existing.documents) : t`Will be created.`)
        }
        onChange={onChange}
      />
      {other !== null && (
        <Button small className="other-target" onClick={() => onChange(other)}>
          <span className="ell">
            <Trans>Into {other} instead</Trans>
          </span>
        </Button>
      )}
    </>
  );
}

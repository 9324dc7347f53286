import { Autocomplete } from '@mantine/core';
import { useLive } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { usePlace } from '../../../components/navigation/location.ts';
import { formatCount } from '../../../i18n/format.ts';

interface CollectionFieldProps {
  collection: string;
  /** Why the name is invalid; null: it is valid. */
  problem: string | null;
  onChange: (collection: string) => void;
}

const CHOICES_SHOWN = 100;

const formatExisting = (count: number) =>
  `Exists, with ${formatCount(count)} ${count === 1 ? 'document' : 'documents'}. Documents with an equal _id are replaced.`;

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
        label="Collection"
        data-autofocus
        data={[...(collections?.keys() ?? [])]}
        limit={CHOICES_SHOWN}
        value={collection}
        error={problem}
        description={problem === null && (existing ? formatExisting(existing.documents) : 'Will be created.')}
        onChange={onChange}
      />
      {other !== null && (
        <Button small className="other-target" onClick={() => onChange(other)}>
          <span className="ell">Into {other} instead</span>
        </Button>
      )}
    </>
  );
}

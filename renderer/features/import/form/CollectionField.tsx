import { formatCount } from '../../../../shared/model/format.ts';
import { useLive } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { usePlace } from '../../../components/navigation/location.ts';

interface CollectionFieldProps {
  collection: string;
  /** Why the name is invalid; null: it is valid. */
  problem: string | null;
  onChange: (collection: string) => void;
}

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
      <label className="label">
        <span>Collection</span>
        <input
          className="input"
          data-autofocus
          list="import-collections"
          autoComplete="off"
          spellCheck={false}
          value={collection}
          aria-invalid={problem !== null}
          aria-describedby="import-collection-echo"
          onChange={event => onChange(event.target.value)}
        />
        <datalist id="import-collections">
          {[...(collections?.keys() ?? [])].map(name => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <span id="import-collection-echo" className={problem === null ? 'hint' : 'problem'}>
          {problem ?? (existing ? formatExisting(existing.documents) : 'Will be created.')}
        </span>
      </label>
      {other !== null && (
        <Button small className="other-target" onClick={() => onChange(other)}>
          <span className="ell">Into {other} instead</span>
        </Button>
      )}
    </>
  );
}

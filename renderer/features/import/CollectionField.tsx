import { formatCount } from '../../../shared/model/format.ts';
import { useLive } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { usePlace } from '../../components/navigation/location.ts';

interface CollectionFieldProps {
  collection: string;
  /** Why it is no name; null where it is one. */
  problem: string | null;
  onChange: (collection: string) => void;
}

const existsWords = (count: number) =>
  `Exists, with ${formatCount(count)} ${count === 1 ? 'document' : 'documents'}. Those with an equal _id are written over.`;

/** Where the documents go: by the file's name, or into the collection that is open. */
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
          {problem ?? (existing ? existsWords(existing.documents) : 'Will be created.')}
        </span>
      </label>
      {other !== null && (
        <Button small className="other-target" onClick={() => onChange(other)}>
          <span className="ell">Into {other} instead, the one that is open</span>
        </Button>
      )}
    </>
  );
}

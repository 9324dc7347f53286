import { buttonClass } from '../../components/Button.tsx';
import { Icon } from '../../components/Icon.tsx';
import { toIndex } from '../../components/location.ts';
import { Ago } from '../../components/Time.tsx';
import { useDropped } from './droppedIndexes.ts';
import './policy-history.css';

interface DroppedIndexesProps {
  collection: string;
  /** Names that an index has. */
  names: ReadonlySet<string>;
}

/** What was dropped here a while ago: its history, and the way back. */
export function DroppedIndexes({ collection, names }: DroppedIndexesProps) {
  const dropped = useDropped(collection).filter(one => !names.has(one.name));
  if (dropped.length === 0) return null;
  return (
    <section className="panel dropped-indexes" aria-label="Dropped indexes">
      <ul>
        {dropped.map(({ name, at }) => (
          <li key={name} className="row">
            <Icon name="trash" size={14} />
            <span className="mono ell" title={name}>
              {name}
            </span>
            <span className="t-12 t-3 nowrap">
              dropped <Ago at={at} />
            </span>
            <span className="spacer" />
            <a className={buttonClass({ small: true, variant: 'ghost' })} href={toIndex(collection, name)}>
              History
            </a>
            <a className={buttonClass({ small: true })} href={toIndex(collection, name, { revert: 'last' })}>
              <Icon name="undo" size={12} />
              Put back…
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

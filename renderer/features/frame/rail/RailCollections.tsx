import { useAway, useLive, useRefusal } from '../../../api.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { RailCollection } from './RailCollection.tsx';

/** Collections of the current connection, and a button to create one. */
export function RailCollections({
  here,
  onNewCollection,
}: {
  here: string | undefined;
  onNewCollection: () => void;
}) {
  const collections = useLive(state => state.collections);
  const lost = useLive(({ connection }) => connection.is !== 'open');
  const mayWrite = useRefusal('collections.create') === null;
  const isAway = useAway();
  if (collections === null || isAway) return null;
  return (
    <nav aria-label="Collections">
      {[...collections.values()].map(summary => (
        <RailCollection key={summary.name} summary={summary} current={summary.name === here} />
      ))}
      {mayWrite && (
        <button type="button" className="rail-new" disabled={lost} onClick={onNewCollection}>
          <Icon name="plus" size={12} />
          New collection…
        </button>
      )}
    </nav>
  );
}

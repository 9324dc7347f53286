import { formatCount } from '../../../../shared/model/format.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { useSlow } from '../../../components/status/use-slow.ts';
import type { PagerSnapshot } from './pager-snapshot.ts';

/** Reading that takes over a second says how far it is, and can be stopped. */
export function SearchProgress({ snapshot, onStop }: { snapshot: PagerSnapshot; onStop: () => void }) {
  const isSlow = useSlow(snapshot.status === 'reading');
  if (!isSlow) return null;
  const found = snapshot.loaded().length;
  return (
    <span className="row t-12 t-3 nowrap" role="status">
      {snapshot.passed === null
        ? `Searching, ${formatCount(found)} found so far`
        : `Reading on, past ${formatCount(snapshot.passed)}`}
      <Button variant="ghost" small onClick={onStop}>
        Stop
      </Button>
    </span>
  );
}

import { t } from '@lingui/core/macro';
import { Button } from '../../../components/controls/Button.tsx';
import { useSlow } from '../../../components/status/use-slow.ts';
import { formatCount } from '../../../i18n/format.ts';
import type { PagerSnapshot } from './pager-snapshot.ts';

/** Progress of a read that takes over a second, with a button to stop it. */
export function SearchProgress({ snapshot, onStop }: { snapshot: PagerSnapshot; onStop: () => void }) {
  const isSlow = useSlow(snapshot.status === 'reading');
  if (!isSlow) return null;
  const found = snapshot.loaded().length;
  return (
    <span className="row t-12 t-3 nowrap" role="status">
      {snapshot.passed === null
        ? t`Searching, ${formatCount(found)} found so far`
        : t`Reading, ${formatCount(snapshot.passed)} rows so far`}
      <Button variant="ghost" small onClick={onStop}>{t`Stop`}</Button>
    </span>
  );
}

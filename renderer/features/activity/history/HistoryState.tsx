import { t } from '@lingui/core/macro';
import { Button } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { useSlow } from '../../../components/status/use-slow.ts';
import { formatCount } from '../../../i18n/format.ts';
import { formatRows, type HistoryRows } from './format-rows.ts';
import type { HistorySnapshot } from './history-pager.ts';

interface HistoryStateProps {
  snapshot: HistorySnapshot<unknown>;
  what: HistoryRows;
  onMore: () => void;
  onTop: () => void;
}

/** State of a history in one line: buffered rows, rows read, the last error. */
export function HistoryState({ snapshot, what, onMore, onTop }: HistoryStateProps) {
  const { rows, searched, isReading, isWhole, waiting, problem } = snapshot;
  const isSlow = useSlow(isReading);
  if (problem !== null) {
    return (
      <span className="row" role="alert">
        <Icon name="err" size={14} className="c-overdue" />
        <span className="t-12 ell" title={problem.message}>
          {problem.message}
        </span>
        <Button small onClick={onMore}>{t`Try again`}</Button>
      </span>
    );
  }
  const isSearching = !isWhole && rows.length < searched;
  return (
    <>
      {waiting.count > 0 && (
        <Button small icon="up" onClick={onTop}>
          {waiting.orMore
            ? t`${formatCount(waiting.count)} or more new`
            : t`${formatCount(waiting.count)} new`}
        </Button>
      )}
      <span className="t-12 t-3 nowrap">
        {isSlow
          ? t`Reading ${formatRows(searched, what)}…`
          : isSearching
            ? t`${formatCount(rows.length)} of the last ${formatRows(searched, what)}`
            : isWhole
              ? formatRows(rows.length, what)
              : t`The last ${formatRows(rows.length, what)}`}
      </span>
      {isSearching && !isReading && <Button small onClick={onMore}>{t`Search older`}</Button>}
    </>
  );
}

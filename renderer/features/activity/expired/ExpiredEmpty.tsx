import { formatCount } from '../../../../shared/model/format.ts';
import { useLive } from '../../../api.ts';
import { Button, buttonClass } from '../../../components/controls/Button.tsx';
import { changeQuery, toOverview } from '../../../components/navigation/location.ts';
import { EmptyState } from '../../../components/status/EmptyState.tsx';
import { Upcoming } from '../../../components/time/Time.tsx';
import { NO_FILTER } from '../expired-entries/expired-filter.ts';

/** Nothing expired yet, and nothing that matches did, are two things. */
export function LedgerEmpty({ isNarrowed, looked }: { isNarrowed: boolean; looked: number }) {
  const next = useLive(({ reaper }) => reaper?.nextWakeAt ?? null);
  if (isNarrowed) {
    return (
      <EmptyState
        icon="filter"
        title="Nothing that expired matches"
        actions={<Button onClick={() => changeQuery(NO_FILTER)}>Show all</Button>}
      >
        {formatCount(looked)} {looked === 1 ? 'entry was' : 'entries were'} looked at.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="glass"
      title="Nothing has expired yet"
      actions={
        <a className={buttonClass({})} href={toOverview()}>
          Open the overview
        </a>
      }
    >
      {next === null ? (
        'No document has a deadline that comes.'
      ) : (
        <>
          The next look is <Upcoming at={next} />.
        </>
      )}
    </EmptyState>
  );
}

import { useLive } from '../../../api.ts';
import { Button, ButtonLink } from '../../../components/controls/Button.tsx';
import { changeQuery, toOverview } from '../../../components/navigation/location.ts';
import { EmptyState } from '../../../components/status/EmptyState.tsx';
import { Upcoming } from '../../../components/time/Time.tsx';
import { formatCount } from '../../../i18n/format.ts';
import { NO_FILTER } from '../expired-model/expired-filter.ts';

export function ExpiredEmpty({ isFiltered, searched }: { isFiltered: boolean; searched: number }) {
  const next = useLive(({ reaper }) => reaper?.nextWakeAt ?? null);
  if (isFiltered) {
    return (
      <EmptyState
        icon="filter"
        title="No entry matches"
        actions={<Button onClick={() => changeQuery(NO_FILTER)}>Show all</Button>}
      >
        {formatCount(searched)} {searched === 1 ? 'entry was' : 'entries were'} searched.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="glass"
      title="No document has expired yet"
      actions={<ButtonLink href={toOverview()}>Open the overview</ButtonLink>}
    >
      {next === null ? (
        'No document has a future deadline.'
      ) : (
        <>
          The reaper acts next <Upcoming at={next} />.
        </>
      )}
    </EmptyState>
  );
}

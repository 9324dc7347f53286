import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { useLive } from '../../../api.ts';
import { Button, ButtonLink } from '../../../components/controls/Button.tsx';
import { changeQuery, toOverview } from '../../../components/navigation/location.ts';
import { EmptyState } from '../../../components/status/EmptyState.tsx';
import { Upcoming } from '../../../components/time/Time.tsx';
import { NO_FILTER } from '../expired-model/expired-filter.ts';

/** The state of *Expired* for an engine that does not report its removals. */
export function RemovalsUnlisted({ reason }: { reason: string }) {
  return (
    <EmptyState icon="glass" title={t`Removals are not listed`}>
      {reason}
    </EmptyState>
  );
}

export function ExpiredEmpty({ isFiltered, searched }: { isFiltered: boolean; searched: number }) {
  const next = useLive(({ reaper }) => reaper?.nextWakeAt ?? null);
  if (isFiltered) {
    return (
      <EmptyState
        icon="filter"
        title={t`No entry matches`}
        actions={<Button onClick={() => changeQuery(NO_FILTER)}>{t`Show all`}</Button>}
      >
        <Plural value={searched} one="# entry was searched." other="# entries were searched." />
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="glass"
      title={t`Nothing has expired yet`}
      actions={<ButtonLink href={toOverview()}>{t`Open the overview`}</ButtonLink>}
    >
      {next === null ? (
        t`Nothing has a future deadline.`
      ) : (
        <Trans>
          The reaper acts next <Upcoming at={next} />.
        </Trans>
      )}
    </EmptyState>
  );
}

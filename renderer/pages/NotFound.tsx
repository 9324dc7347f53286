import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ButtonLink } from '../components/controls/Button.tsx';
import { toOverview } from '../components/navigation/location.ts';
import { EmptyState } from '../components/status/EmptyState.tsx';

function Back() {
  return <ButtonLink variant="primary" href={toOverview()}>{t`Open the overview`}</ButtonLink>;
}

export function NoSuchCollection({ name }: { name: string }) {
  return (
    <main className="page centred">
      <h1 className="visually-hidden">{t`Collection not found`}</h1>
      <EmptyState icon="table" title={t`Collection not found`} actions={<Back />}>
        <Trans>
          <span className="wrap">“{name}”</span> does not exist in this store. It may have been dropped.
        </Trans>
      </EmptyState>
    </main>
  );
}

export function NoSuchPage() {
  return (
    <main className="page centred">
      <h1 className="visually-hidden">{t`Page not found`}</h1>
      <EmptyState
        icon="search"
        title={t`Page not found`}
        actions={<Back />}
      >{t`The link may be from another version of Sandglass.`}</EmptyState>
    </main>
  );
}

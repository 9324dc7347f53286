import { ButtonLink } from '../components/controls/Button.tsx';
import { toOverview } from '../components/navigation/location.ts';
import { EmptyState } from '../components/status/EmptyState.tsx';

function Back() {
  return (
    <ButtonLink variant="primary" href={toOverview()}>
      Open the overview
    </ButtonLink>
  );
}

export function NoSuchCollection({ name }: { name: string }) {
  return (
    <main className="page centred">
      <h1 className="visually-hidden">Collection not found</h1>
      <EmptyState icon="table" title="Collection not found" actions={<Back />}>
        <span className="wrap">“{name}”</span> does not exist in this store. It may have been dropped.
      </EmptyState>
    </main>
  );
}

export function NoSuchPage() {
  return (
    <main className="page centred">
      <h1 className="visually-hidden">Page not found</h1>
      <EmptyState icon="search" title="Page not found" actions={<Back />}>
        The link may be from another version of Sandglass.
      </EmptyState>
    </main>
  );
}

import { buttonClass } from '../components/controls/Button.tsx';
import { toOverview } from '../components/navigation/location.ts';
import { EmptyState } from '../components/status/EmptyState.tsx';

function Back() {
  return (
    <a className={buttonClass({ variant: 'primary' })} href={toOverview()}>
      Open the overview
    </a>
  );
}

export function NoSuchCollection({ name }: { name: string }) {
  return (
    <main className="page centred">
      <h1 className="sr">No such collection</h1>
      <EmptyState icon="table" title="There is no such collection" actions={<Back />}>
        <span className="wrap">“{name}”</span> is not in this store. It may have been dropped or renamed.
      </EmptyState>
    </main>
  );
}

export function NoSuchPage() {
  return (
    <main className="page centred">
      <h1 className="sr">No such page</h1>
      <EmptyState icon="search" title="Nothing is at this address" actions={<Back />}>
        The link may be from another version of Sandglass.
      </EmptyState>
    </main>
  );
}

import type { CollectionSummary } from '../../shared/contract/collections.ts';
import { useLive } from '../api.ts';
import { DocumentsView } from '../features/documents/DocumentsView.tsx';
import { CollectionHead, type Tab } from './CollectionHead.tsx';
import { CollectionTimeline } from './CollectionTimeline.tsx';
import { NoSuchCollection } from './NotFound.tsx';

/** One collection; `rest` is what follows its name in the address: the tab, and what the tab makes of the rest. */
export function CollectionPage({ name, rest }: { name: string; rest: readonly string[] }) {
  const summary = useLive(({ collections }) => collections?.get(name));
  if (summary === undefined) return <NoSuchCollection name={name} />;
  const tab: Tab = rest[0] === 'documents' || rest[0] === 'ttl-indexes' ? rest[0] : 'timeline';
  return (
    <main className={`page tab-${tab}`}>
      <h1 className="sr">{name}</h1>
      <CollectionHead summary={summary} tab={tab} />
      <TabBody key={name} summary={summary} tab={tab} />
    </main>
  );
}

function TabBody({ summary, tab }: { summary: CollectionSummary; tab: Tab }) {
  if (tab === 'documents') return <DocumentsView collection={summary.name} />;
  return <CollectionTimeline summary={summary} />;
}

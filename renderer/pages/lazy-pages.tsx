import { lazyPart } from '../components/failure/lazy-part.tsx';

/** Parts that no window starts with, so that the first page loads first. They are fetched when the window is idle. */
const activity = lazyPart(() => import('./ActivityPage.tsx'), 'ActivityPage');
const connections = lazyPart(() => import('./ConnectionsPage.tsx'), 'ConnectionsPage');
const health = lazyPart(() => import('./HealthPage.tsx'), 'HealthPage');
const settings = lazyPart(() => import('./SettingsPage.tsx'), 'SettingsPage');
const createIndex = lazyPart(() => import('../features/ttl-indexes/CreateIndexPage.tsx'), 'CreateIndexPage');
const indexDetail = lazyPart(() => import('../features/ttl-indexes/IndexDetail.tsx'), 'IndexDetail');
const indexList = lazyPart(() => import('../features/ttl-indexes/list/IndexList.tsx'), 'IndexList');
const importDialog = lazyPart(() => import('../features/import/ImportDialog.tsx'), 'ImportDialog');

export const ActivityPage = activity.Part;
export const ConnectionsPage = connections.Part;
export const HealthPage = health.Part;
export const SettingsPage = settings.Part;
export const CreateIndexPage = createIndex.Part;
export const IndexDetail = indexDetail.Part;
export const IndexList = indexList.Part;
export const ImportDialog = importDialog.Part;

const PARTS = [activity, connections, health, settings, createIndex, indexDetail, indexList, importDialog];

export function fetchLazyPages(): void {
  requestIdleCallback(() => {
    // A part that fails is fetched again when it is shown, and shows the failure there.
    for (const { fetch } of PARTS) fetch().catch(reportError);
  });
}

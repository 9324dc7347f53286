import { lazyPart } from '../components/failure/lazy-part.tsx';

/**
 * Parts that the first page, usually a timeline, does not need. They are fetched when the window is idle, in the order
 * in which they are likely to be opened.
 */
const documents = lazyPart(() => import('../features/documents/DocumentsView.tsx'), 'DocumentsView');
const expired = lazyPart(() => import('../features/activity/expired-view/ExpiredView.tsx'), 'ExpiredView');
const activity = lazyPart(() => import('./ActivityPage.tsx'), 'ActivityPage');
const connections = lazyPart(() => import('./ConnectionsPage.tsx'), 'ConnectionsPage');
const health = lazyPart(() => import('./HealthPage.tsx'), 'HealthPage');
const settings = lazyPart(() => import('./SettingsPage.tsx'), 'SettingsPage');
const createIndex = lazyPart(() => import('../features/ttl-indexes/CreateIndexPage.tsx'), 'CreateIndexPage');
const indexDetail = lazyPart(() => import('../features/ttl-indexes/IndexDetail.tsx'), 'IndexDetail');
const indexList = lazyPart(() => import('../features/ttl-indexes/list/IndexList.tsx'), 'IndexList');
const importDialog = lazyPart(() => import('../features/import/ImportDialog.tsx'), 'ImportDialog');

export const DocumentsView = documents.Part;
export const ExpiredView = expired.Part;
export const ActivityPage = activity.Part;
export const ConnectionsPage = connections.Part;
export const HealthPage = health.Part;
export const SettingsPage = settings.Part;
export const CreateIndexPage = createIndex.Part;
export const IndexDetail = indexDetail.Part;
export const IndexList = indexList.Part;
export const ImportDialog = importDialog.Part;

const PARTS = [
  documents,
  indexList,
  createIndex,
  expired,
  activity,
  health,
  indexDetail,
  settings,
  importDialog,
  connections,
];

export function fetchLazyPages(): void {
  requestIdleCallback(() => {
    // A part that fails is fetched again when it is shown, and then reports the failure.
    for (const { fetch } of PARTS) fetch().catch(reportError);
  });
}

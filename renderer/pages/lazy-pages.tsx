import { lazyPart } from '../components/failure/lazy-part.tsx';

/** Pages that no window starts with, so that the first page loads first. The others are fetched when the window is idle. */
const activity = lazyPart(() => import('./ActivityPage.tsx'), 'ActivityPage');
const connections = lazyPart(() => import('./ConnectionsPage.tsx'), 'ConnectionsPage');
const health = lazyPart(() => import('./HealthPage.tsx'), 'HealthPage');
const settings = lazyPart(() => import('./SettingsPage.tsx'), 'SettingsPage');

export const ActivityPage = activity.Part;
export const ConnectionsPage = connections.Part;
export const HealthPage = health.Part;
export const SettingsPage = settings.Part;

export function fetchLazyPages(): void {
  requestIdleCallback(() => {
    // A page that fails is fetched again when it is opened, and shows the failure there.
    for (const { fetch } of [activity, connections, health, settings]) fetch().catch(reportError);
  });
}

import { type ComponentType, lazy, useState } from 'react';

/**
 * Pages that no window starts with, each in its own chunk, so that the first page loads first. The others are fetched
 * when the window is idle.
 */
function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let fetched: ComponentType<Props> | null = null;
  const fetch = async () => {
    fetched = await load();
    return { default: fetched };
  };
  const Awaited = lazy(fetch);
  function Page(props: Props) {
    // A page that began lazily stays so, because replacing it would lose its state.
    const [Shown] = useState<ComponentType<Props>>(() => fetched ?? Awaited);
    return <Shown {...props} />;
  }
  return { Page, fetch };
}

const activity = later(async () => (await import('./ActivityPage.tsx')).ActivityPage);
const connections = later(async () => (await import('./ConnectionsPage.tsx')).ConnectionsPage);
const health = later(async () => (await import('./HealthPage.tsx')).HealthPage);
const settings = later(async () => (await import('./SettingsPage.tsx')).SettingsPage);

export const ActivityPage = activity.Page;
export const ConnectionsPage = connections.Page;
export const HealthPage = health.Page;
export const SettingsPage = settings.Page;

export function fetchLazyPages(): void {
  requestIdleCallback(() => {
    for (const { fetch } of [activity, connections, health, settings]) void fetch();
  });
}

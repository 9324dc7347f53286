import { SETTINGS_SECTIONS } from '../components/navigation/location.ts';
import { SettingsView } from '../features/settings/SettingsView.tsx';
import { NoSuchPage } from './NotFound.tsx';

/** What is set for the store and for this window; `name` is the section, left out the first. */
export function SettingsPage({ name }: { name: string | undefined }) {
  const section = name === undefined ? 'removal' : SETTINGS_SECTIONS.find(known => known === name);
  if (section === undefined) return <NoSuchPage />;
  return (
    <main className="page">
      <h1 className="sr">Settings</h1>
      <SettingsView key={section} section={section} />
    </main>
  );
}

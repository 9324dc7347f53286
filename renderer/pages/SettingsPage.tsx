import { t } from '@lingui/core/macro';
import { SETTINGS_SECTIONS } from '../components/navigation/location.ts';
import { SettingsView } from '../features/settings/SettingsView.tsx';
import { NoSuchPage } from './NotFound.tsx';

/** Settings of the store and of the window. `name`: the section, default the first. */
export function SettingsPage({ name }: { name: string | undefined }) {
  const section = name === undefined ? 'removal' : SETTINGS_SECTIONS.find(known => known === name);
  if (section === undefined) return <NoSuchPage />;
  return (
    <main className="page">
      <h1 className="visually-hidden">{t`Settings`}</h1>
      <SettingsView key={section} section={section} />
    </main>
  );
}

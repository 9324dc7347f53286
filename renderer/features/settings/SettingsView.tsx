import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { useLive } from '../../api.ts';
import { type SettingsSection, toSettings } from '../../components/navigation/location.ts';
import { AccessTokens } from './AccessTokens.tsx';
import { Appearance } from './Appearance.tsx';
import { Backup } from './Backup.tsx';
import { FileCare } from './FileCare.tsx';
import { Followers } from './Followers.tsx';
import { PolicySettings } from './PolicySettings.tsx';
import { ReadingSettings } from './ReadingSettings.tsx';
import { StoreSettings } from './StoreSettings.tsx';
import { offeredSections } from './sections.ts';
import classes from './settings.module.css';
import { Webhook } from './Webhook.tsx';

const PARTS: Record<SettingsSection, ReactNode> = {
  reading: <ReadingSettings />,
  removal: <StoreSettings key="removal" section="removal" />,
  holds: <StoreSettings key="holds" section="holds" />,
  keeping: <StoreSettings key="keeping" section="keeping" />,
  policy: <PolicySettings />,
  access: <AccessTokens />,
  backup: (
    <>
      <Backup />
      <FileCare />
      <Followers />
    </>
  ),
  alerts: <Webhook />,
  appearance: <Appearance />,
};

/** One section at a time, each with its own address. */
export function SettingsView({ section }: { section: SettingsSection }) {
  const capabilities = useLive(({ store }) => store?.capabilities);
  const places = offeredSections(capabilities);
  const shown =
    places.find(place => place.section === section)?.section ?? places[0]?.section ?? 'appearance';
  return (
    <div className={classes.settings}>
      <nav className={classes.nav} aria-label={t`Settings`}>
        {places.map(({ section: name, label, detail }) => (
          <a key={name} href={toSettings(name)} aria-current={name === shown ? 'page' : undefined}>
            <span>{label}</span>
            <span className="t-11 t-3">{detail}</span>
          </a>
        ))}
      </nav>
      <div className={classes.part}>{PARTS[shown]}</div>
    </div>
  );
}

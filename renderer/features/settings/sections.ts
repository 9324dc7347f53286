import { t } from '@lingui/core/macro';
import { type Capabilities, type Feature, missingBecause } from '../../../shared/contract/capabilities.ts';
import type { SettingsSection } from '../../components/navigation/location.ts';

interface SettingsPlace {
  section: SettingsSection;
  label: string;
  detail: string;
  /** The feature that the section needs; absent: the section is about the window. */
  feature?: Feature;
}

/** Sections of the page, in order. */
const SETTINGS_PLACES: readonly SettingsPlace[] = [
  {
    section: 'reading',
    feature: 'mirror',
    label: t`Reading`,
    detail: t`pause, rate, notifications, prefixes`,
  },
  { section: 'removal', feature: 'reaper', label: t`Removal`, detail: t`rate, batches, passes` },
  {
    section: 'holds',
    feature: 'reaper',
    label: t`Holds and clock`,
    detail: t`circuit breaker, long closed, clock jumps`,
  },
  {
    section: 'keeping',
    feature: 'restore',
    label: t`Restoring and log`,
    detail: t`how long and how much is kept`,
  },
  { section: 'policy', label: t`Policy`, detail: t`expected expiration, as a file` },
  { section: 'access', feature: 'tokens', label: t`Access tokens`, detail: t`for programs and people` },
  {
    section: 'backup',
    feature: 'file',
    label: t`Backup and followers`,
    detail: t`copies and upkeep of the file`,
  },
  { section: 'alerts', feature: 'alerts', label: t`Alerts`, detail: t`messages to a webhook` },
  { section: 'appearance', label: t`Appearance`, detail: t`theme and time zone` },
];

/** Returns the sections that the engine of the connection supports. */
export function offeredSections(capabilities: Capabilities | undefined): readonly SettingsPlace[] {
  return SETTINGS_PLACES.filter(
    ({ feature }) =>
      capabilities === undefined || feature === undefined || missingBecause(capabilities, feature) === null,
  );
}

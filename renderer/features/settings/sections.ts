import { t } from '@lingui/core/macro';
import type { SettingsSection } from '../../components/navigation/location.ts';

/** Sections of the page, in order. */
export const SETTINGS_PLACES: readonly { section: SettingsSection; label: string; detail: string }[] = [
  { section: 'removal', label: t`Removal`, detail: t`rate, batches, passes` },
  { section: 'holds', label: t`Holds and clock`, detail: t`circuit breaker, long closed, clock jumps` },
  { section: 'keeping', label: t`Restoring and log`, detail: t`how long and how much is kept` },
  { section: 'access', label: t`Access tokens`, detail: t`for programs and people` },
  {
    section: 'backup',
    label: t`Backup and followers`,
    detail: t`copies and upkeep of the file`,
  },
  { section: 'alerts', label: t`Alerts`, detail: t`messages to a webhook` },
  { section: 'appearance', label: t`Appearance`, detail: t`theme and time zone` },
];

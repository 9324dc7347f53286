import type { SettingsSection } from '../../components/navigation/location.ts';

/** Sections of the page, in order. */
export const SETTINGS_PLACES: readonly { section: SettingsSection; label: string; detail: string }[] = [
  { section: 'removal', label: 'Removal', detail: 'rate, batches, passes' },
  { section: 'holds', label: 'Holds and clock', detail: 'circuit breaker, long closed, clock jumps' },
  { section: 'keeping', label: 'Restoring and log', detail: 'how long and how much is kept' },
  { section: 'access', label: 'Access tokens', detail: 'for programs and people' },
  {
    section: 'backup',
    label: 'Backup and followers',
    detail: 'copies and upkeep of the file',
  },
  { section: 'alerts', label: 'Alerts', detail: 'messages to a webhook' },
  { section: 'appearance', label: 'Appearance', detail: 'theme and time zone' },
];

import type { Settings } from '../../../../shared/contract/settings.ts';

/** Absent: as it was; null: its default again [R3]. */
export type SettingChanges = { [Name in keyof Settings]?: Settings[Name] | null | undefined };

/** The store's settings. Durable when `change` returns, and in effect from the next batch on. */
export interface SettingsStore {
  get(): Settings;
  change(changes: SettingChanges): Settings;
}

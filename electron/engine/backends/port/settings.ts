import type { Settings } from '../../../../shared/contract/settings.ts';

/** Absent: unchanged; null: back to its default [R3]. */
export type SettingChanges = { [Name in keyof Settings]?: Settings[Name] | null | undefined };

/** The store's settings. Durable when `change` returns, and effective from the next batch. */
export interface SettingsStore {
  get(): Settings;
  change(changes: SettingChanges): Settings;
}

import { DEFAULT_SETTINGS, type Settings, settingsAnswer } from '../../../../shared/contract/settings.ts';
import type { SettingChanges, SettingsStore } from '../backend.ts';

/**
 * Settings of the connection, such as the number of keys from which on a change needs confirmation. A change is lost
 * when the connection is closed.
 */
export class RedisSettings implements SettingsStore {
  #settings = DEFAULT_SETTINGS;

  get(): Settings {
    return this.#settings;
  }

  change(changes: SettingChanges): Settings {
    const kept = Object.entries({ ...this.#settings, ...changes }).filter(([, value]) => value !== null);
    this.#settings = settingsAnswer.parse(Object.fromEntries(kept));
    return this.#settings;
  }
}

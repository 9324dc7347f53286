import { DEFAULT_SETTINGS, type Settings, settingsAnswer } from '../../../../shared/contract/settings.ts';
import type { SettingChanges, SettingsStore } from '../backend.ts';

/** Settings such as from how many keys on a change is confirmed: the defaults, until changed while the connection is open. */
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

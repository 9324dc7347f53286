import type { Settings } from '../../../../../shared/contract/settings.ts';
import type { SettingChanges, SettingsStore } from '../../backend.ts';
import type { Writer } from '../write/writer.ts';

/**
 * Settings that differ from their defaults, as JSON in `meta`. Other settings have the default of the running version
 * [R3].
 */
export class EmbeddedSettings implements SettingsStore {
  readonly #writer: Writer;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  get(): Settings {
    return this.#writer.catalog.settings;
  }

  change(changes: SettingChanges): Settings {
    const before = this.#writer.meta.text('settings') ?? '{}';
    const kept = Object.entries({ ...JSON.parse(before), ...withoutAbsent(changes) }).filter(
      ([, value]) => value !== null,
    );
    const after = JSON.stringify(Object.fromEntries(kept));
    if (after === before) return this.get();
    this.#writer.transactOnFullDisk(transaction => {
      this.#writer.meta.set('settings', after);
      transaction.changesCatalog = true;
      for (const name of this.#writer.catalog.collections.keys()) transaction.collections.add(name);
    });
    return this.get();
  }
}

function withoutAbsent(changes: SettingChanges): SettingChanges {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

import {
  type MirrorSettingChanges,
  type MirrorSettings,
  mirrorSettings,
} from '../../../../shared/contract/mirror.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import type { MirrorControl } from '../backend.ts';

export interface MirrorSettingsOptions {
  readonly mirror: Pick<DeadlineMirror, 'keptSettings' | 'keepSettings'>;
  /** Values of settings that were never changed; null for those that the engine lacks. */
  readonly defaults: MirrorSettings;
  /** Called with the settings before and after a change. */
  onChange(before: MirrorSettings, after: MirrorSettings): void;
  readonly enableNotifications: MirrorControl['enableNotifications'];
}

/** Settings for reading a store into its mirror, stored in the mirror's file. */
export class KeptMirrorSettings implements MirrorControl {
  readonly enableNotifications: MirrorControl['enableNotifications'];
  readonly #options: MirrorSettingsOptions;
  #settings: MirrorSettings;

  constructor(options: MirrorSettingsOptions) {
    const { mirror, defaults, enableNotifications } = options;
    this.#options = options;
    this.enableNotifications = enableNotifications;
    // Settings of a later version stay in the file until the next change.
    const kept = mirrorSettings.safeParse(mirror.keptSettings);
    this.#settings = kept.data === undefined ? defaults : { ...kept.data, ...missingOf(defaults) };
  }

  get settings(): MirrorSettings {
    return this.#settings;
  }

  change(changes: MirrorSettingChanges): MirrorSettings {
    const before = this.#settings;
    if (changes.grouping !== undefined && before.grouping === null) {
      throw new SandglassError('BAD_REQUEST', 'The grouping of keys is fixed for this engine.');
    }
    if (changes.mostKeys !== undefined && before.mostKeys === null) {
      throw new SandglassError('BAD_REQUEST', 'No sample is taken of the keys of this engine.');
    }
    const after = mirrorSettings.parse({ ...before, ...changes });
    this.#options.mirror.keepSettings(after);
    this.#settings = after;
    this.#options.onChange(before, after);
    return after;
  }
}

/** Returns the settings that an engine lacks, also if a file of an earlier version has them. */
function missingOf({ mostKeys, grouping }: MirrorSettings): Partial<MirrorSettings> {
  return { ...(mostKeys === null && { mostKeys }), ...(grouping === null && { grouping }) };
}

import { DEFAULT_SETTINGS } from '../../../shared/contract/settings.ts';

/**
 * Changes that a recorded process has reported as durable, from its lines up to a cut:
 * `present ID…` and `absent ID…` documents; `restoring` before removed ones may come back; `index NAME present|absent|either`;
 * `setting LOG-SECONDS present|either`; `backup FILE` when it is complete; `purging` and `purged`: what was removed before the
 * first cannot be restored after the second; `interval N`: so many documents expired at once; `revision N AT`, epoch ms.
 */
export class Acknowledgements {
  readonly present = new Set<string>();
  readonly absent = new Set<string>();
  readonly purged = new Set<string>();
  #purging: readonly string[] = [];
  readonly indexes = new Map<string, string>();
  readonly backups = new Set<string>();
  /** Values that the setting may have: the acknowledged one, and one that is being written. */
  logSeconds: number[] = [DEFAULT_SETTINGS.logSeconds];
  revision = 0;
  /** Epoch ms of the last line that says it; 0: none did. */
  at = 0;
  phase = 'opening';
  /** Commits in which documents expired as an interval. */
  intervals = 0;

  hear(line: string): void {
    const [word = '', ...rest] = line.split(' ');
    const [first = '', second = ''] = rest;
    switch (word) {
      case 'present':
      case 'absent':
        for (const id of rest) {
          this.present.delete(id);
          this.absent.delete(id);
          (word === 'present' ? this.present : this.absent).add(id);
        }
        break;
      case 'restoring':
        for (const id of this.absent) if (!this.purged.has(id)) this.absent.delete(id);
        break;
      case 'purging':
        this.#purging = [...this.absent];
        break;
      case 'purged':
        for (const id of this.#purging) this.purged.add(id);
        break;
      case 'index':
        this.indexes.set(first, second);
        break;
      case 'setting':
        this.logSeconds = second === 'present' ? [Number(first)] : [...this.logSeconds, Number(first)];
        break;
      case 'backup':
        this.backups.add(first);
        break;
      case 'interval':
        this.intervals += 1;
        break;
      case 'revision':
        this.revision = Number(first);
        this.at = Number(second);
        break;
      case 'phase':
        this.phase = first;
        break;
      default:
    }
  }
}

import type { Capabilities, RemoteStore } from '../../../../shared/contract/capabilities.ts';
import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { JsonObject } from '../../../../shared/model/json/json.ts';
import type { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import type { MeterRegistry } from '../../expiry/meters.ts';
import type { ServerNetwork } from '../../network/server-network.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type {
  Backend,
  Commit,
  MinuteStore,
  MirrorControl,
  PartOptions,
  PartResult,
  Reads,
  RemoteBackend,
  SetExpirationOptions,
  SettingsStore,
} from '../backend.ts';
import type { DeadlineUndo } from '../port/deadline-undo.ts';
import type { DocumentImport } from '../port/import.ts';
import type { LeaseControl } from '../port/leases.ts';
import { MirroredImport, type MirroredImportOptions } from './mirrored-import.ts';

/** Options of an engine whose deadlines are mirrored. */
export interface MirroredOptions {
  readonly uri: string;
  /** Password; overrides one in the URI. */
  readonly secret?: string | undefined;
  /** Absent: a direct one. */
  readonly network?: ServerNetwork | undefined;
  /** File of the mirror. */
  readonly mirrorFile: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meters: MeterRegistry;
  readonly readOnly: boolean;
  readonly onListenerError?: (error: unknown) => void;
}

/** Writes to the server and then to the mirror. */
export type MirroredWrites = Pick<Backend, 'put' | 'delete' | 'setExpiration' | 'dueAfterSetting'>;

/** Connection state, mirror state and findings of a server. */
interface RemoteStatus {
  readonly remote: RemoteStore;
  /** Returns the function that unsubscribes. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

interface Parts {
  readonly capabilities: () => Capabilities;
  readonly settings: SettingsStore;
  readonly mirror: DeadlineMirror;
  readonly reads: Reads;
  readonly writes: MirroredWrites;
  /** Absent: the engine cannot set deadlines back. */
  readonly setBack?: DeadlineUndo['setBack'];
  readonly status: RemoteStatus;
  readonly control: MirrorControl;
  readonly keyImport: Omit<MirroredImportOptions, 'mirror' | 'checkWritable'>;
  readonly options: MirroredOptions;
}

/**
 * Base of backends for engines that remove documents by themselves and whose deadlines are mirrored; contains all but
 * the engine's own calls.
 */
export class MirroredBackend implements RemoteBackend {
  readonly reads: Reads;
  readonly settings: SettingsStore;
  readonly mirror: MirrorControl;
  readonly minutes: MinuteStore;
  readonly governance = null;
  readonly expired = null;
  readonly leases: LeaseControl | null = null;
  readonly undo: DeadlineUndo | null;
  readonly documentImport: DocumentImport;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.reads = parts.reads;
    this.settings = parts.settings;
    this.mirror = parts.control;
    const { setBack } = parts;
    const { series, reads, undo } = parts.mirror;
    this.undo =
      setBack === undefined
        ? null
        : {
            kept: job => undo.kept(job),
            dueBy: (job, by) => undo.dueBy(job, by),
            page: (job, after, limit) => undo.page(job, after, limit),
            setBack: async (job, changed, options) => {
              this.checkWritable();
              return setBack(job, changed, options);
            },
          };
    this.documentImport = new MirroredImport({
      ...parts.keyImport,
      mirror: parts.mirror,
      checkWritable: () => this.checkWritable(),
    });
    this.minutes = { append: points => series.append(points), read: query => reads.series(query) };
    parts.mirror.onCommit(commit => this.#measure(commit));
  }

  get capabilities(): Capabilities {
    return this.#parts.capabilities();
  }

  get revision(): number {
    return this.#parts.mirror.revision;
  }

  get remote(): RemoteStore {
    return this.#parts.status.remote;
  }

  hasCollection(name: string): boolean {
    return this.#parts.mirror.hasCollection(name);
  }

  collectionNames(): string[] {
    return this.#parts.mirror.collectionNames();
  }

  async put(
    collection: string,
    id: string,
    document: JsonObject,
  ): Promise<{ created: boolean; expiredOnArrival: boolean }> {
    this.checkWritable();
    return this.#parts.writes.put(collection, id, document);
  }

  async delete(collection: string, ids: readonly string[], options?: PartOptions): Promise<PartResult> {
    this.checkWritable();
    return this.#parts.writes.delete(collection, ids, options);
  }

  async setExpiration(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    options?: SetExpirationOptions,
  ): Promise<PartResult> {
    this.checkWritable();
    return this.#parts.writes.setExpiration(collection, ids, setting, options);
  }

  dueAfterSetting: Backend['dueAfterSetting'] = (collection, ids, setting, options) =>
    this.#parts.writes.dueAfterSetting(collection, ids, setting, options);

  onRemoteChange(listener: () => void): () => void {
    return this.#parts.status.onChange(listener);
  }

  onCommit(listener: (commit: Commit) => void): () => void {
    return this.#parts.mirror.onCommit(listener);
  }

  /** Closes the mirror. Call it after the engine's own connections are closed. */
  async close(): Promise<void> {
    await this.#parts.status.close();
    this.#parts.mirror.close();
  }

  /** Throws READ_ONLY. */
  protected checkWritable(): void {
    if (this.#parts.options.readOnly) throw new SandglassError('READ_ONLY', 'This connection is read-only.');
  }

  /** Counts the keys that expired, with their lag, and those that applications wrote [M1]. */
  #measure({ changes }: Commit): void {
    const { meters, clock } = this.#parts.options;
    const now = clock.now();
    for (const [collection, ofIt] of Map.groupBy(changes, change => change.collection)) {
      const expired = ofIt.filter(({ kind }) => kind === 'expire');
      const lagsMs = expired.flatMap(({ lagMs }) => (lagMs === undefined ? [] : [lagMs]));
      const written = ofIt.filter(({ kind }) => kind === 'insert' || kind === 'update').length;
      if (expired.length > 0) meters.removed(collection, expired.length, lagsMs, now);
      if (written > 0) meters.written(collection, written, now);
    }
  }
}

import type { Commit } from '../../../electron/engine/backends/backend.ts';
import type { JsonObject } from '../../../shared/model/json/json.ts';
import {
  jsonOf,
  type NaiveAction,
  NaiveCollection,
  type NaiveDocument,
  type NaiveIndex,
} from '../../support/naive-store.ts';

/** A history has documents in the first, or in both. Their `_id`s begin with the name of the collection. */
export const COLLECTIONS = ['c', 'k'] as const;
/** The target of every move. */
export const ARCHIVE = 'archive';

type Fields = NaiveDocument['fields'];
export type Setting = { at: number | 'never'; action: NaiveAction } | 'clear';
type Change = Commit['changes'][number];

/** Changes that the running call may make to documents. Nothing but the reaper changes any other. */
export interface Intent {
  readonly written: ReadonlyMap<string, Fields>;
  readonly deleted: ReadonlySet<string>;
  readonly set: ReadonlyMap<string, Setting>;
  /** By `_id`: the document as it expired, restored now with this setting. */
  readonly restored: ReadonlyMap<string, { fields: Fields; setting: Setting }>;
}

export const NO_INTENT: Intent = {
  written: new Map(),
  deleted: new Set(),
  set: new Map(),
  restored: new Map(),
};

/** Why nothing may expire, as far as calls and holds have stopped the reaper. */
export interface Stopped {
  store: boolean;
  readonly collections: ReadonlySet<string>;
  /** A pass over the store, by hand. */
  isByHand: boolean;
  /** Collections that are held; null: the whole store. */
  readonly held: ReadonlySet<string | null>;
}

/**
 * The documents of all collections, computed from the calls and from the events of each commit by the plain model. An event that
 * the model does not allow throws: an expiry that is early, paused, held, or of a document that is not there.
 */
export class SimulatedModel {
  /** The schedule of each index, as JSON: a changed one releases from quarantine. */
  readonly schedules = new WeakMap<NaiveIndex, string>();
  readonly collections: ReadonlyMap<string, NaiveCollection> = new Map(
    COLLECTIONS.map(name => [name, new NaiveCollection()]),
  );
  stopped: Stopped = { store: false, collections: new Set(), isByHand: false, held: new Set() };
  /** The latest removal of each `_id`, as it was before. */
  readonly removed = new Map<string, { fields: Fields; revision: number }>();
  revision = 0;
  /** Changes of each revision, as text, with which its events in the log are compared. */
  readonly committed = new Map<number, readonly string[]>();
  /** Changes up to this revision may have been purged from the log. */
  purgedThrough = 0;

  /** Throws a RangeError for a collection that no history has. */
  of(collection: string): NaiveCollection {
    const naive = this.collections.get(collection);
    if (naive === undefined) throw new RangeError(`there is no collection ${collection}`);
    return naive;
  }

  copy(): SimulatedModel {
    const copy = new SimulatedModel();
    for (const [name, from] of this.collections) {
      const to = copy.of(name);
      for (const [id, document] of from.documents) to.documents.set(id, document);
      for (const [index, definition] of from.indexes) {
        const copied = { ...definition };
        to.indexes.set(index, copied);
        copy.schedules.set(copied, this.schedules.get(definition) ?? '');
      }
      for (const [id, version] of from.archive) to.archive.set(id, version);
    }
    for (const [id, removal] of this.removed) copy.removed.set(id, removal);
    copy.stopped = { ...this.stopped };
    copy.revision = this.revision;
    for (const [revision, changes] of this.committed) copy.committed.set(revision, changes);
    copy.purgedThrough = this.purgedThrough;
    return copy;
  }

  /** Applies a commit at the trusted time `now`. Returns the expiries by the reaper. Throws if the model does not allow it. */
  apply(commit: Commit, intent: Intent, now: number): Change[] {
    if (commit.revision !== this.revision + 1)
      throw new Error(`revision ${commit.revision} follows ${this.revision}`);
    this.revision = commit.revision;
    this.committed.set(commit.revision, commit.changes.map(changeText));
    const byReaper: Change[] = [];
    const archived = new Set<string>();
    for (const change of commit.changes) {
      if (change.collection === ARCHIVE) {
        this.#applyToArchive(change);
        if (change.kind === 'insert') archived.add(change.id);
      } else if (change.kind === 'expire') {
        this.#expire(change, now, archived);
        if (change.pass !== 0) byReaper.push(change);
      } else if (change.kind !== 'definition') this.#applyCall(change, intent, now);
    }
    return byReaper;
  }

  #applyToArchive({ kind, id }: Change): void {
    if (kind === 'definition') return;
    const naive = this.of(collectionOf(id));
    if (kind === 'insert') naive.archive.set(id, naive.nextVersion());
    else if (kind === 'delete') naive.archive.delete(id);
  }

  #expire(
    { collection, id, index = '', deadlineAt = 0, pass }: Change,
    now: number,
    archived: ReadonlySet<string>,
  ): void {
    const { stopped } = this;
    const naive = this.of(collection);
    const document = naive.documents.get(id);
    if (document === undefined) throw new Error(`${id} expired and is not there`);
    const rule = naive.indexes.get(index);
    const at = index === 'explicit' ? document.explicit : rule && naive.deadlineBy(rule, document);
    if (at !== deadlineAt)
      throw new Error(`${id} expired by ${index} at ${deadlineAt}, and its deadline is ${at}`);
    if (at > now) throw new Error(`${id} expired ${at - now} ms before its deadline`);
    if (pass !== 0) {
      if (
        (stopped.store && !stopped.isByHand) ||
        stopped.collections.has(collection) ||
        rule?.isPaused === true
      )
        throw new Error(`${id} expired by ${index} while it was paused`);
      if (stopped.held.has(null) || stopped.held.has(collection))
        throw new Error(`${id} expired by ${index} while it was held`);
      if (rule !== undefined && (!rule.isReady || rule.isObserving))
        throw new Error(`${id} expired by ${index}, which has no effect`);
    }
    this.removed.set(id, { fields: document.fields, revision: this.revision });
    // The event of the archive may precede this one: the place was free before.
    if (archived.has(id)) naive.archive.delete(id);
    if (naive.expire(id, index, now, now) === 'quarantined')
      throw new Error(`${id} expired by ${index} without progress`);
  }

  #applyCall({ collection, kind, id }: Change, intent: Intent, now: number): void {
    const naive = this.of(collection);
    const { documents } = naive;
    const document = documents.get(id);
    if ((kind === 'insert') === (document !== undefined))
      throw new Error(`${kind} of ${id}, which is ${document === undefined ? 'not there' : 'there'}`);
    if (kind === 'delete') {
      if (!intent.deleted.has(id)) throw new Error(`${id} was deleted without a call`);
      if (document !== undefined) this.removed.set(id, { fields: document.fields, revision: this.revision });
      documents.delete(id);
      return;
    }
    if (kind === 'expiration') {
      const setting = intent.restored.get(id)?.setting ?? intent.set.get(id);
      if (setting === undefined || document === undefined) throw new Error(`${id} was set without a call`);
      put(naive, id, { ...document, ...explicitOf(setting) });
      return;
    }
    const restored = intent.restored.get(id);
    const fields = restored?.fields ?? intent.written.get(id);
    if (fields === undefined) throw new Error(`${kind} of ${id} without a call`);
    const kept = document ?? { explicit: null, explicitAction: 'delete' as const };
    const explicit = restored === undefined ? kept : explicitOf(restored.setting);
    put(naive, id, {
      id,
      fields,
      updatedAt: now,
      explicit: explicit.explicit,
      explicitAction: explicit.explicitAction,
      quarantined: new Set(),
      version: 0,
    });
  }

  /** Documents that every reader must be shown at `now`; with `includeExpired`, hidden ones too. */
  shown(collection: string, now: number, includeExpired: boolean): Map<string, JsonObject> {
    const naive = this.of(collection);
    const documents = [...naive.documents.values()].filter(
      document => includeExpired || !naive.isHidden(document, now),
    );
    return new Map(documents.map(document => [document.id, JSON.parse(JSON.stringify(jsonOf(document)))]));
  }
}

/** A change as text, by which its event in the log is compared with its commit. */
export function changeText({ collection, kind, id, deadlineAt }: Change): string {
  return JSON.stringify([collection, kind, id, deadlineAt]);
}

function put(naive: NaiveCollection, id: string, document: NaiveDocument): void {
  naive.documents.set(id, { ...document, quarantined: new Set(), version: naive.nextVersion() });
}

function collectionOf(id: string): string {
  return id.slice(0, id.indexOf('-'));
}

function explicitOf(setting: Setting): Pick<NaiveDocument, 'explicit' | 'explicitAction'> {
  return setting === 'clear'
    ? { explicit: null, explicitAction: 'delete' }
    : { explicit: setting.at, explicitAction: setting.at === 'never' ? 'delete' : setting.action };
}

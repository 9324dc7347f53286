import type { EmbeddedEngine } from '../../../electron/engine/api/context.ts';
import type { OnExpire, TtlIndexDefinition, TtlSource } from '../../../shared/model/ttl-index.ts';
import type { NaiveAction, NaiveCollection, NaiveIndex, NaiveSource } from '../../support/naive-store.ts';
import type { SimulatedModel } from './simulated-model.ts';

/** Gives the model the definitions that are in effect: those that calls made, are built, and wait for nobody. */
export function takeDefinitions(
  { collections, schedules }: SimulatedModel,
  backend: EmbeddedEngine['backend'],
): void {
  const sources = backend.expiry.sources();
  for (const [name, naive] of collections) {
    if (!backend.hasCollection(name)) continue;
    const inEffect = sources.flatMap(({ collection, index }) => (collection === name ? index : []));
    takeCollection(naive, backend.indexDefinitions(name), new Set(inEffect), schedules);
  }
}

function takeCollection(
  naive: NaiveCollection,
  definitions: readonly TtlIndexDefinition[],
  inEffect: ReadonlySet<string>,
  schedules: WeakMap<NaiveIndex, string>,
): void {
  const names = new Set(definitions.map(({ name }) => name));
  for (const name of naive.indexes.keys()) {
    if (names.has(name)) continue;
    naive.indexes.delete(name);
    naive.release(name);
  }
  for (const { name, source, onExpire, schedule } of definitions) {
    const known = naive.indexes.get(name);
    const isObserving = schedule.mode === 'observe';
    const now = {
      name,
      source: naiveSource(source),
      action: naiveAction(onExpire),
      addMs: addedMs(source),
      isPaused: known?.isPaused ?? false,
      isReady: inEffect.has(name) || isObserving,
      isObserving,
    };
    const isChanged =
      known !== undefined &&
      (known.addMs !== now.addMs ||
        known.action !== now.action ||
        schedules.get(known) !== JSON.stringify(schedule));
    if (isChanged) naive.release(name);
    naive.indexes.set(name, now);
    schedules.set(now, JSON.stringify(schedule));
  }
}

function naiveSource(source: TtlSource): NaiveSource {
  switch (source.kind) {
    case 'field':
      return 'expireAfterField' in source && source.expireAfterField !== undefined
        ? { kind: 'own', field: source.field }
        : { kind: 'field', field: source.field };
    case 'lastModified':
      return { kind: 'lastModified' };
    case 'expression':
      return { kind: 'expression' };
  }
}

function addedMs(source: TtlSource): number {
  return 'expireAfter' in source && source.expireAfter !== undefined
    ? Math.round(source.expireAfter * 1_000)
    : 0;
}

function naiveAction(onExpire: OnExpire): NaiveAction {
  if (onExpire.action === 'patch') return 'mark' in onExpire.patch ? 'stuck' : 'patch';
  return onExpire.action;
}

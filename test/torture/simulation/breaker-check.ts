import type { Settings } from '../../../shared/contract/settings.ts';
import type { NaiveCollection, NaiveIndex } from '../../support/naive-store.ts';

/** Definition of each index in effect, and the number of documents that it makes due. */
type DueByIndex = ReadonlyMap<string, { definition: string; due: number }>;

export function dueByIndex(naive: NaiveCollection, now: number): DueByIndex {
  const inEffect = [...naive.indexes.values()].filter(({ isReady, isObserving }) => isReady && !isObserving);
  return new Map(
    inEffect.map(index => [
      index.name,
      { definition: definitionOf(index), due: naive.due(index.name, now).length },
    ]),
  );
}

function definitionOf({ source, addMs, action }: NaiveIndex): string {
  return JSON.stringify([source, addMs, action]);
}

/** Throws if a definition took effect that made more documents due at once than the circuit breaker allows [R8]. */
export function checkBreaker(
  before: DueByIndex,
  after: DueByIndex,
  documents: number,
  { breakerShare, breakerDocuments }: Pick<Settings, 'breakerShare' | 'breakerDocuments'>,
): void {
  for (const [name, { definition, due }] of after) {
    const former = before.get(name);
    if (former?.definition === definition) continue;
    const anew = due - (former?.due ?? 0);
    if (anew > breakerDocuments && anew > breakerShare * documents)
      throw new Error(`${name} made ${anew} of ${documents} documents due at once and was not held`);
  }
}

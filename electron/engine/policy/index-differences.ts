import { missingBecause } from '../../../shared/contract/capabilities.ts';
import type { IndexPolicy, Policy } from '../../../shared/contract/policy.ts';
import { newlyDue } from '../../../shared/model/confirmation-rule.ts';
import { formatDefinition, formatDifferences } from '../../../shared/model/definition-text.ts';
import { sameReferenceTimes } from '../../../shared/model/ttl-index.ts';
import type { Backend, GovernedDefinition } from '../backends/backend.ts';
import type { PolicyDifference } from './policy-difference.ts';
import type { PolicyIndexes, PolicyStore } from './policy-store.ts';
import { sameDefinition } from './same-definition.ts';

/** Counting the effect reads documents; it ends with the signal. Null: effects are not counted. */
export type Counting = { signal: AbortSignal | undefined } | null;

/** Returns the differences between a policy and the TTL indexes of a store. */
export async function indexDifferences(
  { backend, clock }: Pick<PolicyStore, 'backend' | 'clock'>,
  indexes: PolicyIndexes,
  { collections }: Policy,
  counting: Counting,
): Promise<PolicyDifference[]> {
  const differences: PolicyDifference[] = [];
  for (const [collection, { ttlIndexes }] of Object.entries(collections)) {
    if (ttlIndexes === undefined) continue;
    const wanted = Object.entries(ttlIndexes).map(([name, index]) => definitionOf(name, index));
    const isMissing = !backend.hasCollection(collection);
    if (isMissing) differences.push(missingCollection(backend, collection));
    const present = isMissing ? [] : await indexes.definitions(collection);
    const place = { backend, clock, indexes, collection, isMissing, counting };
    for (const definition of wanted)
      differences.push(
        ...(await ofIndex(
          place,
          definition,
          present.find(({ name }) => name === definition.name),
        )),
      );
    for (const { name } of present)
      if (!Object.hasOwn(ttlIndexes, name)) differences.push(await unexpected(place, name));
  }
  return differences;
}

function definitionOf(name: string, { partitions, ...rest }: IndexPolicy): GovernedDefinition {
  return partitions === undefined ? { name, ...rest } : { name, ...rest, partitions };
}

function missingCollection({ capabilities }: Backend, collection: string): PolicyDifference {
  const { words } = capabilities;
  const obstacle = missingBecause(capabilities, 'collections');
  return {
    drift: {
      collection,
      index: null,
      is: 'missing collection',
      documents: 0,
      due: 0,
      sentence: `There is no ${words.group} ${collection}.`,
      obstacle,
    },
    change: obstacle === null ? { do: 'create collection' } : null,
  };
}

interface Place extends Pick<PolicyStore, 'backend' | 'clock'> {
  readonly indexes: PolicyIndexes;
  readonly collection: string;
  readonly isMissing: boolean;
  readonly counting: Counting;
}

/** Returns at most one difference. */
async function ofIndex(
  place: Place,
  definition: GovernedDefinition,
  before: GovernedDefinition | undefined,
): Promise<PolicyDifference[]> {
  const { collection, backend, isMissing } = place;
  const { name: index } = definition;
  if (before !== undefined && sameDefinition(before, definition)) return [];
  const { documents, due, expect } = await effectOf(place, definition, before);
  const obstacle = isMissing ? missingBecause(backend.capabilities, 'collections') : null;
  const isReplaced =
    before !== undefined &&
    !sameReferenceTimes(before.source, definition.source) &&
    !(before.source.kind === 'expression' && definition.source.kind === 'expression');
  const change = before === undefined ? 'create index' : isReplaced ? 'replace index' : 'change index';
  return [
    {
      drift: {
        collection,
        index,
        is: before === undefined ? 'missing index' : 'different index',
        documents,
        due,
        sentence:
          before === undefined
            ? `${collection} has no TTL index ${index} (${formatDefinition(definition)}).`
            : `${index} of ${collection}: ${formatDifferences(before, definition) || 'partitions'}.`,
        obstacle,
      },
      change: obstacle === null ? { do: change, definition, expect } : null,
    },
  ];
}

async function effectOf(
  place: Place,
  definition: GovernedDefinition,
  before: GovernedDefinition | undefined,
): Promise<{ documents: number; due: number | null; expect: { dueAtOnce: number; at: number } | undefined }> {
  const { indexes, collection, isMissing, counting } = place;
  const { schedule, source, partitions } = definition;
  if (isMissing) return { documents: 0, due: 0, expect: undefined };
  if (counting === null || schedule.mode === 'observe') {
    const due = schedule.mode === 'observe' ? 0 : null;
    return { documents: await documentsOf(place), due, expect: undefined };
  }
  const present =
    before === undefined
      ? undefined
      : (await indexes.list(collection)).find(({ name }) => name === before.name);
  const name = before === undefined ? {} : { name: before.name };
  const query = { collection, source, ...name, ...(partitions !== undefined && { partitions }) };
  const preview = await indexes.preview(query, counting.signal);
  const { documents, dueAtOnce, at } = preview;
  return { documents, due: newlyDue(preview, present ?? null), expect: { dueAtOnce, at } };
}

async function documentsOf({ backend, clock, collection }: Place): Promise<number> {
  const [summary] = await backend.reads.summaries([collection], clock.now());
  return summary?.documents ?? 0;
}

async function unexpected(place: Place, index: string): Promise<PolicyDifference> {
  const { collection } = place;
  return {
    drift: {
      collection,
      index,
      is: 'unexpected index',
      documents: await documentsOf(place),
      due: 0,
      sentence: `${collection} has the TTL index ${index}, which the policy does not have.`,
      obstacle: null,
    },
    change: { do: 'drop index', index },
  };
}

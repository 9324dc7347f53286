import { isDeepStrictEqual } from 'node:util';
import type { Preview, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { needsConfirmation, newlyDue } from '../../../../shared/model/confirmation-rule.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { noSuchIndex } from '../../../../shared/model/ttl-index.ts';
import type { GovernedDefinition, IndexChangeOptions } from '../../backends/backend.ts';
import { cronProblem } from '../../expiry/schedule/cron-ticks.ts';
import type { RemoteEngine } from '../context.ts';
import { isAsExpected } from '../effects.ts';
import { governanceOf } from '../governance.ts';
import type { Expectation, TtlIndexCalls } from '../ttl-index-calls.ts';
import { changed, changedParameters, unusedName } from './definition-changes.ts';
import { revertOf } from './revert.ts';

type Parts = Pick<RemoteEngine, 'backend' | 'clock' | 'feed'>;

/** TTL indexes that are kept in a remote database itself. */
export class GovernedTtlIndexes implements TtlIndexCalls {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async list(collection: string): Promise<TtlIndex[]> {
    return this.#governed.indexes(collection);
  }

  async get(collection: string, index: string): Promise<TtlIndex> {
    const found = (await this.list(collection)).find(({ name }) => name === index);
    if (found === undefined) throw noSuchIndex(collection, index);
    return found;
  }

  async create(
    { collection, expect, ...given }: Parameters<TtlIndexCalls['create']>[0],
    by: string,
  ): Promise<TtlIndex> {
    const taken = (await this.list(collection)).map(({ name }) => name);
    const only = this.#parts.backend.capabilities.indexChoices?.name ?? null;
    const name = given.name ?? only ?? unusedName(new Set(taken), given.source);
    const definition = { ...given, name };
    return this.#define(collection, definition, { by, expect, before: null });
  }

  async update(input: Parameters<TtlIndexCalls['update']>[0], by: string): Promise<TtlIndex> {
    const { collection, index, expect } = input;
    const before = await this.get(collection, index);
    const present = await this.#governed.definition(collection, index);
    const definition = {
      ...changed(present, input),
      partitions: input.partitions ?? present.partitions,
      parameters: changedParameters(present.parameters, input.parameters),
    };
    return this.#define(collection, definition, { by, expect, before });
  }

  async drop(collection: string, index: string, by: string): Promise<void> {
    await this.#governed.drop(collection, index, by);
    this.#parts.feed.touched();
  }

  async preview(
    input: Parameters<TtlIndexCalls['preview']>[0],
    signal: AbortSignal | undefined,
  ): Promise<Preview> {
    return this.#governed.preview(input, signal);
  }

  async dropped(collection: string): ReturnType<TtlIndexCalls['dropped']> {
    return this.#governed.dropped(collection);
  }

  async history(collection: string, index: string): ReturnType<TtlIndexCalls['history']> {
    return this.#governed.history(collection, index);
  }

  async revert(
    { collection, index, change, expect }: Parameters<TtlIndexCalls['revert']>[0],
    by: string,
  ): Promise<TtlIndex> {
    const revert = revertOf(await this.history(collection, index), collection, index, change);
    if ('pause' in revert) {
      const pause = revert.pause ? { by, since: this.#parts.clock.now() } : null;
      await this.#governed.setPause({ collection, index }, pause, by);
      return this.get(collection, index);
    }
    const before = (await this.list(collection)).find(({ name }) => name === index) ?? null;
    return this.#define(collection, revert.definition, { by, isRevert: true, expect, before });
  }

  async definition(collection: string, index: string): Promise<GovernedDefinition> {
    return this.#governed.definition(collection, index);
  }

  async statements(collection: string, definition: GovernedDefinition): Promise<string[] | null> {
    const governed = this.#governed;
    return governed.statements === null ? null : governed.statements(collection, definition);
  }

  async candidates(collection: string): ReturnType<TtlIndexCalls['candidates']> {
    return this.#governed.candidates(collection);
  }

  get #governed() {
    return governanceOf(this.#parts.backend);
  }

  /**
   * Creates a TTL index, or with `before` changes it. Throws EXPECTATION_FAILED with the preview if the person saw another
   * effect, or none although it needs a confirmation [R8].
   */
  async #define(
    collection: string,
    definition: GovernedDefinition,
    {
      expect,
      before,
      ...options
    }: IndexChangeOptions & { expect: Expectation | undefined; before: TtlIndex | null },
  ): Promise<TtlIndex> {
    const { schedule } = definition;
    const problem = schedule.mode === 'cron' ? cronProblem(schedule, this.#parts.clock.now()) : null;
    if (problem !== null) throw new SandglassError('INVALID_TTL_INDEX', problem, { schedule });
    const isExpected =
      schedule.mode !== 'observe' && (await this.#checkPreview(collection, definition, { expect, before }));
    if (before === null) await this.#governed.create(collection, definition, { ...options, isExpected });
    else await this.#governed.change(collection, definition, { ...options, isExpected });
    this.#parts.feed.touched();
    return this.get(collection, definition.name);
  }

  /** Returns whether a person confirmed the effect. */
  async #checkPreview(
    collection: string,
    { source, name, onExpire, partitions = BY_ROW }: GovernedDefinition,
    { expect, before }: { expect: Expectation | undefined; before: TtlIndex | null },
  ): Promise<boolean> {
    const removed = onExpire.action === 'delete' ? partitions : BY_ROW;
    const isSame = before !== null && isSameEffect(before, { source, partitions: removed });
    if (isSame && expect === undefined) return false;
    const query = { collection, source, partitions: removed, ...(before !== null && { name }) };
    const preview = await this.#governed.preview(query);
    const { documents, dueAtOnce } = preview;
    const settings = this.#parts.backend.settings.get();
    const isConfirmed =
      expect === undefined
        ? !needsConfirmation({ due: newlyDue(preview, before), documents }, settings)
        : isAsExpected(expect.dueAtOnce, dueAtOnce);
    if (!isConfirmed) throw notAsExpected(preview, expect);
    return expect !== undefined;
  }
}

/** Rows of partitions are removed one by one, as of any table. */
const BY_ROW = { mode: 'rows' } as const;

/** Returns whether a change makes no other rows due. */
function isSameEffect(
  { source, onExpire, partitions = BY_ROW }: TtlIndex,
  after: Required<Pick<GovernedDefinition, 'source' | 'partitions'>>,
): boolean {
  const before = { source, partitions: onExpire.action === 'delete' ? partitions : BY_ROW };
  return isDeepStrictEqual(before, after);
}

function notAsExpected(preview: Preview, expect: Expectation | undefined): SandglassError {
  const { dueAtOnce, documents, at } = preview;
  const message =
    expect === undefined
      ? `${dueAtOnce} of ${documents} rows would expire at once. Nothing was changed; to confirm, repeat the call with "expect": {"dueAtOnce": ${dueAtOnce}, "at": ${at}}.`
      : `${dueAtOnce} rows would expire at once, not ${expect.dueAtOnce} as expected. Nothing was changed; see the new preview.`;
  return new SandglassError('EXPECTATION_FAILED', message, { preview });
}

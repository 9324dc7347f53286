import { replyOf, sqlStateOf } from '../../connection/postgres-failure.ts';
import { invalid } from '../../governed/definition.ts';

/** Rejects with INVALID_TTL_INDEX and the server's reply if it refuses what `work` sends for its text or values. */
export async function judged<Result>(
  work: () => Promise<Result>,
  done: readonly string[] = [],
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const state = sqlStateOf(error);
    if (state === null || !/^(42|22|0A|55000)/.test(state) || state === '42501' || !(error instanceof Error))
      throw error;
    const before = done.length === 0 ? '' : ` Done before: ${done.join('; ')}.`;
    throw invalid(`CockroachDB refuses this: ${replyOf(error)}.${before}`);
  }
}

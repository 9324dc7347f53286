import type { z } from 'zod';
import { logPage, registered, snapshotPage } from '../../../shared/contract/replication.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { Leader } from './leader.ts';

/**
 * Wraps a leader so that its answers are validated like arguments of a caller: they come from another machine. A call
 * throws INVALID_LEADER_DATA for an invalid answer.
 */
export function checkedLeader(leader: Leader): Leader {
  return {
    register: async (...args) => check('registration', registered, await leader.register(...args)),
    snapshot: async (...args) => {
      const page = check('page of the copy', snapshotPage, await leader.snapshot(...args));
      if (page.next !== null && page.next === args[1])
        throw invalid('page of the copy', 'next: it leads back to the same page');
      return page;
    },
    log: async (...args) => check('part of the log', logPage, await leader.log(...args)),
  };
}

function check<Schema extends z.ZodType>(what: string, schema: Schema, answer: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(answer);
  if (success) return data;
  const [issue] = error.issues;
  throw invalid(what, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

function invalid(what: string, problem: string): SandglassError {
  return new SandglassError(
    'INVALID_LEADER_DATA',
    `The leader sent an invalid ${what} (${problem}). It was not applied.`,
    { problem },
  );
}

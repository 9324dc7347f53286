import type { ReplicaDocument } from '../../../../../shared/contract/replication.ts';
import { onExpire } from '../../../../../shared/contract/ttl-indexes.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { isJsonObject, isTooDeep, parseJson } from '../../../../../shared/model/json/json.ts';
import { LARGEST_DOCUMENT_BYTES } from '../../../../../shared/model/names.ts';

/**
 * Throws INVALID_LEADER_DATA unless a leader's document is valid [C1], has the `_id` it was sent with, and a valid
 * action [A1].
 */
export function checkReplicaDocument({ id, body, explicitAction }: ReplicaDocument): void {
  const problem = bodyProblem(id, body) ?? actionProblem(explicitAction);
  if (problem !== null) throw invalidLeaderData(`The document ${JSON.stringify(id)} ${problem}`);
}

/** `problem`: a sentence without its full stop. */
export function invalidLeaderData(problem: string): SandglassError {
  return new SandglassError(
    'INVALID_LEADER_DATA',
    `The leader sent invalid data. ${problem}. It was not applied.`,
    { problem },
  );
}

function bodyProblem(id: string, body: string): string | null {
  if (Buffer.byteLength(body) > LARGEST_DOCUMENT_BYTES) return 'is larger than 16 MiB';
  if (isTooDeep(body)) return 'is nested too deep';
  const value = read(body);
  if (!isJsonObject(value)) return 'is no JSON object';
  return value._id === id ? null : 'has another _id';
}

function actionProblem(action: string | null): string | null {
  if (action === null) return null;
  return onExpire.safeParse(read(action)).success ? null : 'has an invalid action';
}

/** Returns undefined if the text is not JSON. */
function read(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { JsonValue } from '../../../../../shared/model/json/json.ts';
import type { CommandConnection } from '../connection/command-connection.ts';
import { refusalOf } from '../connection/redis-failure.ts';
import { textOf } from '../connection/reply.ts';
import { EDIT_SCRIPTS, type EditableType } from './edit-scripts.ts';
import { MOST_ELEMENTS } from './redis-value.ts';
import { invalid, isEditable, valueArguments } from './value-arguments.ts';

/** A key as an edit names it, with the form in which `readValue` returns its value. */
export interface Edit {
  readonly id: string;
  readonly key: Buffer;
  readonly type: string;
  readonly value: JsonValue | undefined;
}

/**
 * Replaces a value in place, and keeps its TTL. Throws DOCUMENT_NOT_FOUND if the key expired or was deleted meanwhile
 * (it is not created again), EXPECTATION_FAILED if it has another type by now, INVALID_DOCUMENT for a value that this
 * type cannot have, and DOCUMENT_TOO_LARGE for a value with more elements than are shown.
 */
export async function editValue(connection: CommandConnection, edit: Edit): Promise<void> {
  const { id, key, type, value } = edit;
  if (!isEditable(type)) throw invalid(id, `Values of the type ${type} cannot be changed here.`);
  const args = valueArguments(id, type, value);
  let answer: string;
  try {
    answer = textOf(await connection.command('EVAL', EDIT_SCRIPTS[type], 1, key, ...args));
  } catch (error) {
    if (type !== 'string' || refusalOf(error) !== 'NOPERM') throw error;
    answer = await editStringWithoutScript(connection, key, args[0] ?? '');
  }
  if (answer !== 'ok') throw conflict(id, type, answer);
}

/** For users without permission for scripts. If the type changes between the two commands, the value is overwritten. */
async function editStringWithoutScript(
  connection: CommandConnection,
  key: Buffer,
  value: string | Buffer,
): Promise<string> {
  const type = textOf(await connection.command('TYPE', key));
  if (type !== 'string') return type;
  const reply = await connection.command('SET', key, value, 'XX', 'KEEPTTL');
  return reply === null ? 'none' : 'ok';
}

function conflict(id: string, type: EditableType, answer: string): SandglassError {
  if (answer === 'none') {
    return new SandglassError(
      'DOCUMENT_NOT_FOUND',
      `The key ${id} expired or was deleted meanwhile; nothing was written.`,
      { _id: id },
    );
  }
  if (answer === 'large') {
    return new SandglassError(
      'DOCUMENT_TOO_LARGE',
      `The ${type} ${id} has more than ${MOST_ELEMENTS} elements, of which only a part is shown; nothing was written.`,
      { _id: id },
    );
  }
  if (answer === 'entry') return invalid(id, 'Entries of a stream can be removed, but not added or changed.');
  return new SandglassError(
    'EXPECTATION_FAILED',
    `The key ${id} is a ${answer} by now, not a ${type}; nothing was written.`,
    { _id: id, type: answer },
  );
}

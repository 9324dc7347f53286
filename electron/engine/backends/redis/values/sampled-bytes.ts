import type { CommandConnection } from '../connection/command-connection.ts';

/**
 * Returns the mean size in bytes that the server estimates for these keys with their values; null if it reports no
 * size, for example without permission for MEMORY.
 */
export async function meanBytes(
  connection: CommandConnection,
  keys: readonly Buffer[],
): Promise<number | null> {
  const outcomes = await connection.pipeline(keys.map(key => ['MEMORY', 'USAGE', key]));
  const sizes = outcomes.flatMap(outcome =>
    'reply' in outcome && typeof outcome.reply === 'number' ? [outcome.reply] : [],
  );
  return sizes.length === 0 ? null : sizes.reduce((sum, bytes) => sum + bytes, 0) / sizes.length;
}

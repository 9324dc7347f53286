/**
 * Returns a function that prepares its statement at the first call. An index table has twenty statements, a summary of its
 * collection uses three, and to prepare one takes as long as to run it.
 */
export function preparedOnUse<Prepared>(prepare: () => Prepared): () => Prepared {
  let prepared: Prepared | undefined;
  return () => {
    prepared ??= prepare();
    return prepared;
  };
}

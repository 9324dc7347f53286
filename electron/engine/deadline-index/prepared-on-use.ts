/**
 * Returns a function that prepares its statement at the first call. An index table has twenty statements, a summary of
 * its collection uses three, and preparing a statement takes as long as running it.
 */
export function preparedOnUse<Prepared>(prepare: () => Prepared): () => Prepared {
  let prepared: Prepared | undefined;
  return () => {
    prepared ??= prepare();
    return prepared;
  };
}

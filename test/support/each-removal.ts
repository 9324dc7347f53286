/** SQL of a table of all removals: `removals` packs several into one row. Erased ones have no `id`. */
export const EACH_REMOVAL = `(
  SELECT seq + coalesce(place.key, 0) AS seq, revision, collection, source, coalesce(place.value, row) AS row,
         iif(packed IS NULL, removals.id, packed ->> ('$[2][' || place.key || ']')) AS id,
         deadline + coalesce(packed ->> ('$[0][' || place.key || ']'), 0) AS deadline,
         action, gone, moved_to
  FROM removals LEFT JOIN json_each(packed, '$[1]') AS place)`;

/** SQL of a table of all restorable copies: `retained` has several in one row. */
export const EACH_COPY = `(
  SELECT retained.seq + coalesce(place.key, 0) AS seq, coalesce(place.value, octet_length(body)) AS bytes
  FROM retained LEFT JOIN json_each(lengths) AS place WHERE coalesce(place.value, 1) > 0)`;

/** A row of bars from zero, for the shape of a day in a table cell. A count above 0 is at least 1 px high. */
export function Bars({
  counts,
  colour,
  label,
}: {
  counts: readonly number[];
  colour: string;
  label: string;
}) {
  const top = Math.max(...counts, 1);
  return (
    <svg className="bars" width={counts.length * 3} height="16" role="img" aria-label={label}>
      {counts.map((count, index) => {
        const height = count === 0 ? 0 : Math.max(1, (count / top) * 16);
        // biome-ignore lint/suspicious/noArrayIndexKey: bars are identified by position
        return <rect key={index} x={index * 3} y={16 - height} width="2" height={height} fill={colour} />;
      })}
    </svg>
  );
}

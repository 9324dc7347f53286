interface SparkProps {
  values: readonly number[];
  width?: number;
  height?: number;
}

/** Line chart of the last minute, from zero, beside a figure. Hidden from screen readers. */
export function Spark({ values, width = 44, height = 14 }: SparkProps) {
  if (values.length < 2) return null;
  const top = Math.max(...values) || 1;
  const points = values.map((value, index) => {
    const x = 1 + (index / (values.length - 1)) * (width - 2);
    const y = height - 1.5 - (value / top) * (height - 3);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg className="spark" width={width} height={height} aria-hidden="true">
      <polyline points={points.join(' ')} fill="none" stroke="var(--ink-3)" strokeWidth="1.25" />
    </svg>
  );
}

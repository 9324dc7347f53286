/** Progress bar; empty if the total is not known. */
export function Meter({ label, done, total }: { label: string; done: number; total: number | null }) {
  const share = total === null || total === 0 ? 0 : Math.min(1, done / total);
  return (
    <span
      className="meter"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={total === null ? undefined : Math.round(share * 100)}
    >
      <i style={{ width: `${share * 100}%` }} />
    </span>
  );
}

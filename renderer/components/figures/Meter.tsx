import { Progress } from '@mantine/core';

/** Progress bar; empty if the total is not known. */
export function Meter({ label, done, total }: { label: string; done: number; total: number | null }) {
  const share = total === null || total === 0 ? 0 : Math.min(1, done / total);
  return (
    // The role is on the whole bar: its filled part has no size at 0 %.
    <Progress.Root
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={total === null ? undefined : Math.round(share * 100)}
    >
      <Progress.Section value={share * 100} withAria={false} />
    </Progress.Root>
  );
}

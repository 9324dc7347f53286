import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Segment<Value extends string> {
  value: Value;
  label: ReactNode;
}

interface SegmentedProps<Value extends string> {
  /** The accessible name of the group. */
  label: string;
  /** Null: none of them. */
  value: Value | null;
  segments: readonly Segment<Value>[];
  onChange: (value: Value) => void;
  large?: boolean;
  /** Fills the width with segments of equal size. */
  fill?: boolean;
}

/** A choice of one: a radio group with one tab stop, moved by the arrow keys. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, value, segments, onChange, large = false, fill = false } = props;
  return (
    <SegmentedControl<Value | ''>
      aria-label={label}
      value={value ?? ''}
      data={[...segments]}
      onChange={chosen => {
        if (chosen !== '') onChange(chosen);
      }}
      size={large ? 'sm' : 'xs'}
      fullWidth={fill}
    />
  );
}

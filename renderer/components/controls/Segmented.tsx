import { type KeyboardEvent, type ReactNode, useRef } from 'react';

export interface Segment<Value extends string> {
  value: Value;
  label: ReactNode;
  title?: string;
}

interface SegmentedProps<Value extends string> {
  /** The accessible name of the group. */
  label: string;
  value: Value;
  segments: readonly Segment<Value>[];
  onChange: (value: Value) => void;
  large?: boolean;
  /** Fills the width with segments of equal size. */
  fill?: boolean;
}

const STEP: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** A choice of one: a radio group with one tab stop, moved by the arrow keys. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, value, segments, onChange, large = false, fill = false } = props;
  const group = useRef<HTMLSpanElement>(null);
  const chosen = segments.findIndex(segment => segment.value === value);

  function move(event: KeyboardEvent) {
    const step = STEP[event.key];
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    const index = (chosen + step + segments.length) % segments.length;
    const next = segments[index];
    if (next === undefined) return;
    event.preventDefault();
    onChange(next.value);
    group.current?.querySelectorAll('button')[index]?.focus();
  }

  return (
    <span
      ref={group}
      role="radiogroup"
      aria-label={label}
      className={`seg ${large ? 'l' : ''} ${fill ? 'fill' : ''}`}
      onKeyDown={move}
    >
      {segments.map((segment, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a native radio cannot hold the segment's look and shortcut
        <button
          key={segment.value}
          type="button"
          role="radio"
          aria-checked={segment.value === value}
          tabIndex={index === Math.max(0, chosen) ? 0 : -1}
          title={segment.title}
          onClick={() => onChange(segment.value)}
        >
          {segment.label}
        </button>
      ))}
    </span>
  );
}

import type { ComponentProps } from 'react';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'ref' | 'onChange'> {
  /** The accessible name; the visible label is a separate element. */
  label: string;
  checked: boolean;
  /** Some are checked, not all. */
  indeterminate?: boolean;
  /** `isShifted`: the click was made with Shift, which extends a selection in a list. */
  onChange: (checked: boolean, isShifted: boolean) => void;
}

export function Checkbox({ label, checked, indeterminate = false, onChange, ...rest }: CheckboxProps) {
  return (
    <input
      {...rest}
      type="checkbox"
      className="check"
      aria-label={label}
      checked={checked}
      ref={input => {
        // HTML has no attribute for this property.
        if (input) input.indeterminate = indeterminate;
      }}
      onChange={({ target, nativeEvent }) =>
        onChange(target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
    />
  );
}

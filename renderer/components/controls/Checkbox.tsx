import type { ComponentProps } from 'react';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'ref' | 'onChange'> {
  /** Read aloud; shown only by what stands beside it. */
  label: string;
  checked: boolean;
  /** Some, not all. */
  indeterminate?: boolean;
  /** `isShifted`: by a click with Shift, which in a list means up to here. */
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
        // Only the property exists: there is no attribute for it.
        if (input) input.indeterminate = indeterminate;
      }}
      onChange={({ target, nativeEvent }) =>
        onChange(target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
    />
  );
}

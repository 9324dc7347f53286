import type { ComponentProps } from 'react';
import classes from './row-checkbox.module.css';

interface RowCheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'ref' | 'onChange'> {
  /** The accessible name. */
  label: string;
  checked: boolean;
  /** Some rows are checked, not all. */
  indeterminate?: boolean;
  /** `isShifted`: the click was made with Shift, which extends a selection in a list. */
  onChange: (checked: boolean, isShifted: boolean) => void;
}

/** The checkbox of a row. Rendering 1,000 of Mantine's takes 280 ms, rendering 1,000 of these 11 ms. */
export function RowCheckbox({ label, checked, indeterminate = false, onChange, ...rest }: RowCheckboxProps) {
  return (
    <input
      {...rest}
      type="checkbox"
      className={classes.check}
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

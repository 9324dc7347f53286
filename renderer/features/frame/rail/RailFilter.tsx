import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { Icon } from '../../../components/controls/Icon.tsx';
import { formatCount } from '../../../i18n/format.ts';
import classes from './rail.module.css';

interface RailFilterProps {
  value: string;
  /** Number of collections that match; null: no filter. */
  count: number | null;
  onChange: (text: string) => void;
  /** Called by Enter: opens the first match. */
  onEnter: () => void;
  /** Called by the Down key: moves the focus to the first match. */
  onDown: () => void;
}

/** Filters the collections of the sidebar by a part of their name. */
export function RailFilter({ value, count, onChange, onEnter, onDown }: RailFilterProps) {
  return (
    <TextInput
      className={classes.filter ?? ''}
      size="xs"
      leftSection={<Icon name="filter" size={12} />}
      rightSectionWidth={44}
      rightSection={
        count !== null && (
          <span className="t-11 t-3" role="status">
            {count === 0 ? t`none` : formatCount(count)}
          </span>
        )
      }
      type="search"
      aria-label={t`Filter collections`}
      placeholder={t`Filter collections`}
      value={value}
      onChange={event => onChange(event.target.value)}
      onKeyDown={event => {
        if (event.key === 'Enter') onEnter();
        else if (event.key === 'ArrowDown') onDown();
        else if (event.key === 'Escape' && value !== '') onChange('');
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

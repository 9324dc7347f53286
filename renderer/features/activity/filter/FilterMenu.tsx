import { Trans } from '@lingui/react/macro';
import { Button } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Menu } from '../../../components/overlays/Menu.tsx';
import classes from '../activity.module.css';

interface FilterMenuProps<Value extends string> {
  /** `Collection`. */
  label: string;
  /** Null: no filter. */
  value: Value | null;
  /** Label of the choice without a filter: `all`. */
  any: string;
  choices: readonly { value: Value; label: string }[];
  onChange: (value: Value | null) => void;
}

/** A menu for one filter with few choices: `Collection: all`. */
export function FilterMenu<Value extends string>(props: FilterMenuProps<Value>) {
  const { label, value, any, choices, onChange } = props;
  const shown = choices.find(choice => choice.value === value)?.label ?? value ?? any;
  return (
    <Menu
      align="start"
      target={
        <Button className={classes.filterMenu} aria-pressed={value !== null}>
          <span className="ell">
            <Trans>
              {label}: {shown}
            </Trans>
          </span>
          <Icon name="down" size={12} />
        </Button>
      }
      groups={[
        [{ label: any, ...ticked(value === null), onSelect: () => onChange(null) }],
        choices.map(choice => ({
          label: choice.label,
          ...ticked(choice.value === value),
          onSelect: () => onChange(choice.value),
        })),
      ]}
    />
  );
}

const ticked = (isIt: boolean) => (isIt ? { icon: 'check' as const } : {});

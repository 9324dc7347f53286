import { useId, useState } from 'react';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { Checkbox } from '../../../components/controls/Checkbox.tsx';
import { Popover } from '../../../components/overlays/Popover.tsx';
import type { ArrangedColumns } from './column-preferences.ts';

/** Shows and hides columns. `_id` is always shown. */
export function ColumnChooser({ columns }: { columns: ArrangedColumns }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <Popover
      label="Columns"
      width={240}
      opened={isOpen}
      onChange={setOpen}
      target={
        <IconButton
          icon="columns"
          label="Columns"
          variant="plain"
          small={false}
          iconSize={16}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      }
    >
      <div className="row chooser-h">
        <b className="t-semi grow">Columns</b>
        <Button variant="ghost" small onClick={columns.reset}>
          Reset
        </Button>
      </div>
      <div className="chooser">
        {columns.all.slice(1).map((column, i) => (
          <label key={column.id} htmlFor={`${id}-${i}`} className="row">
            <Checkbox
              id={`${id}-${i}`}
              label={column.title}
              checked={columns.isShown(column)}
              onChange={shown => columns.show(column, shown)}
            />
            <span className={`ell ${column.isCode ? 'mono' : ''}`}>{column.title}</span>
          </label>
        ))}
      </div>
    </Popover>
  );
}

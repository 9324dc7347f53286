import { t } from '@lingui/core/macro';
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { Popover } from '../../../components/overlays/Popover.tsx';
import classes from '../documents.module.css';
import type { ArrangedColumns } from './column-preferences.ts';

/** Shows, hides and orders columns. `_id` is always shown, and first. */
export function ColumnChooser({ columns }: { columns: ArrangedColumns }) {
  const [isOpen, setOpen] = useState(false);
  const shown = new Set(columns.visible.map(column => column.id));
  return (
    <Popover
      label={t`Columns`}
      width={280}
      opened={isOpen}
      onChange={setOpen}
      target={
        <IconButton
          icon="columns"
          label={t`Columns`}
          variant="plain"
          small={false}
          iconSize={16}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      }
    >
      <div className={`row ${classes.chooserH}`}>
        <b className="t-semi grow">{t`Columns`}</b>
        <Button variant="ghost" small onClick={columns.reset}>{t`Reset`}</Button>
      </div>
      <div className={classes.chooser}>
        {columns.all.slice(1).map((column, i) => (
          <div key={column.id} className="row">
            <Checkbox
              className="grow"
              label={<span className={column.isCode ? 'mono' : undefined}>{column.title}</span>}
              checked={shown.has(column.id)}
              onChange={event => columns.show(column, event.target.checked)}
            />
            <IconButton
              icon="up"
              label={t`Move ${column.title} to the left`}
              disabled={i === 0}
              onClick={() => columns.move(column, -1, columns.all)}
            />
            <IconButton
              icon="down"
              label={t`Move ${column.title} to the right`}
              disabled={i === columns.all.length - 2}
              onClick={() => columns.move(column, 1, columns.all)}
            />
          </div>
        ))}
      </div>
    </Popover>
  );
}

import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMemo } from 'react';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { CopyButton } from '../../../components/controls/CopyButton.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { DataTable } from '../../../components/data-table/DataTable.tsx';
import { columnsFor, useDataTable } from '../../../components/data-table/data-table.ts';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import { RestCall } from '../../../components/RestCall.tsx';
import { useAtTick } from '../../../components/time/clock.ts';
import { RelativeAndInstant } from '../../../components/time/Time.tsx';
import { formatCount } from '../../../i18n/format.ts';
import classes from '../documents.module.css';
import { editKey } from '../expiration/expiration-edit.ts';
import { NewDeadline } from '../expiration/StagedDeadline.tsx';
import { CHUNK } from './apply-edits.ts';
import { bulkBody, bulkPath } from './bulk-call.ts';
import {
  type EditGroup,
  effectOf,
  formatEffect,
  groups,
  type Staged,
  type StagedEdit,
} from './staged-edits.ts';

interface ReviewDialogProps {
  collection: string;
  staged: Staged;
  opened: boolean;
  onClose: () => void;
  onApply: () => void;
}

const SAMPLES = 5;
/** Most `_id`s shown in the call. */
const SHOWN_IDS = 3;

/** Staged edits before they are written, and the equivalent REST call. */
export function ReviewDialog({ collection, staged, opened, onClose, onApply }: ReviewDialogProps) {
  const found = useMemo(() => groups(staged), [staged]);
  const table = useDataTable({ columns: GROUP_COLUMNS, data: found, getRowId: ({ edit }) => editKey(edit) });
  const effect = useAtTick(now => formatEffect(effectOf(staged.values(), Math.floor(now / 1000) * 1000)));
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t`Review ${plural(staged.size, { one: '# staged edit', other: '# staged edits' })} in ${collection}`}
      width={860}
      footer={
        <>
          <span className="t-12 t-3 grow">
            <Icon name="info" size={12} />{' '}
            <Trans>Written in chunks of {CHUNK}; you can cancel between chunks.</Trans>
          </span>
          <Button onClick={onClose}>{t`Back`}</Button>
          <Button variant="primary" shortcut="Ctrl ↵" onClick={onApply} data-autofocus>
            <Trans>Apply to {formatCount(staged.size)}</Trans>
          </Button>
        </>
      }
    >
      <div className={classes.review}>
        <p className="t-2">{effect}</p>
        <DataTable table={table} label={t`Staged edits`} />
        {/* If every edit is different, the table above already lists each. */}
        {found.length < staged.size && <Samples staged={staged} />}
        {found.map(({ edit, edits }) => {
          const ids = edits.map(({ before }) => before._id);
          const path = bulkPath(collection);
          return (
            <section key={editKey(edit)}>
              <div className="row">
                <h3 className="t-11 t-3 grow">
                  {ids.length > SHOWN_IDS
                    ? t`REST call, first ${SHOWN_IDS} of ${formatCount(ids.length)} _ids; Copy copies all`
                    : t`REST call`}
                </h3>
                <CopyButton text={`POST ${path}\n${bulkBody(edit, ids)}`} />
              </div>
              <RestCall method="POST" path={path} body={bulkBody(edit, ids, SHOWN_IDS)} />
            </section>
          );
        })}
      </div>
    </Dialog>
  );
}

function GroupBefore({ group }: { group: EditGroup }) {
  const deadlines = group.edits.flatMap(({ before }) => before.deadlineAt ?? []);
  const without = group.edits.length - deadlines.length;
  if (deadlines.length === 0) return t`no deadline`;
  const earliest = <RelativeAndInstant at={Math.min(...deadlines)} />;
  if (group.edits.length === 1) return earliest;
  return without === 0 ? (
    <Trans>earliest {earliest}</Trans>
  ) : (
    <Trans>
      earliest {earliest}, {formatCount(without)} without
    </Trans>
  );
}

function Samples({ staged }: { staged: Staged }) {
  const data = useMemo(() => [...staged.values()].slice(0, SAMPLES), [staged]);
  const table = useDataTable({ columns: SAMPLE_COLUMNS, data, getRowId: ({ before }) => before._id });
  return (
    <DataTable table={table} label={staged.size > SAMPLES ? t`First ${SAMPLES} documents` : t`Documents`} />
  );
}

const groupColumn = columnsFor<EditGroup>();

const GROUP_COLUMNS = groupColumn.columns([
  groupColumn.accessor(({ edits }) => edits.length, {
    id: 'documents',
    header: t`Documents`,
    cell: ({ row: { original } }) => (
      <>
        <b className="t-semi">{formatCount(original.edits.length)}</b>{' '}
        {original.edits.length === 1 && (
          <span className="mono">{visibleText(original.edits[0]?.before._id ?? '')}</span>
        )}
      </>
    ),
  }),
  groupColumn.display({
    id: 'before',
    header: t`Before`,
    meta: { cellClassName: 't-2' },
    cell: ({ row: { original } }) => <GroupBefore group={original} />,
  }),
  groupColumn.display({
    id: 'after',
    header: t({ message: 'After', context: 'column: the new deadline' }),
    meta: { cellClassName: classes.becomes },
    cell: ({ row: { original } }) => <NewDeadline edit={original.edit} />,
  }),
]);

const sampleColumn = columnsFor<StagedEdit>();

const SAMPLE_COLUMNS = sampleColumn.columns([
  sampleColumn.accessor(({ before }) => before._id, {
    id: '_id',
    header: '_id',
    cell: ({ row: { original } }) => (
      <span className="mono" title={visibleText(original.before._id)}>
        {visibleText(original.before._id)}
      </span>
    ),
  }),
  sampleColumn.accessor(({ before }) => before.deadlineAt ?? undefined, {
    id: 'before',
    header: t`Before`,
    meta: { cellClassName: 't-2' },
    sortDescFirst: false,
    sortUndefined: 'last',
    cell: ({ row: { original } }) =>
      original.before.deadlineAt === null ? t`never` : <RelativeAndInstant at={original.before.deadlineAt} />,
  }),
  sampleColumn.display({
    id: 'after',
    header: t({ message: 'After', context: 'column: the new deadline' }),
    meta: { cellClassName: classes.becomes },
    cell: ({ row: { original } }) => <NewDeadline edit={original.edit} />,
  }),
]);

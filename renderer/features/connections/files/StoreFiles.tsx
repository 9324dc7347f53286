import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { StoreFile } from '../../../../shared/contract/connections.ts';
import { connectionsClient, problemOf } from '../../../api.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Note } from '../../../components/status/Note.tsx';
import { formatBytes } from '../../../i18n/format.ts';
import classes from '../connections.module.css';

export interface ChosenFile {
  file: string;
  folder: 'stores' | 'backups';
}

interface StoreFilesProps {
  chosen: ChosenFile;
  onChoose: (file: ChosenFile) => void;
}

/** Stores and backups in the host's folders, by name: windows of the network may not choose paths [P1]. */
export function StoreFiles({ chosen, onChoose }: StoreFilesProps) {
  const { data, error } = useQuery({
    queryKey: ['store files'],
    queryFn: () => connectionsClient().files(),
    staleTime: 0,
    gcTime: 0,
  });
  if (error !== null)
    return (
      <Note tone="bad">
        <Trans>The stores cannot be listed. {problemOf(error).message}</Trans>
      </Note>
    );
  if (data === undefined) return <div aria-busy="true" />;
  const rows = [
    ...data.stores.map(file => ({ ...file, folder: 'stores' as const })),
    ...data.backups.map(file => ({ ...file, folder: 'backups' as const })),
  ].filter(({ isConnected }) => !isConnected);
  if (rows.length === 0) return <p className="hint">{t`No other stores in the folders of the host.`}</p>;
  return (
    <fieldset className={classes.storeFiles} aria-label={t`Stores and backups on the host`}>
      {rows.map(row => (
        <FileRow
          key={`${row.folder}/${row.file}`}
          row={row}
          isChosen={row.file === chosen.file && row.folder === chosen.folder}
          onChoose={onChoose}
        />
      ))}
    </fieldset>
  );
}

interface FileRowProps {
  row: StoreFile & ChosenFile;
  isChosen: boolean;
  onChoose: (file: ChosenFile) => void;
}

function FileRow({ row: { file, folder, bytes }, isChosen, onChoose }: FileRowProps) {
  return (
    <button
      type="button"
      className={classes.storeFile}
      aria-pressed={isChosen}
      onClick={() => onChoose({ file, folder })}
    >
      <Icon name={isChosen ? 'check' : 'file'} size={12} />
      <span className={`mono ${classes.storeFileName}`} title={file}>
        {file}
      </span>
      <span className="t-12 t-3 nowrap">
        {folder === 'backups' ? t`backup, ${formatBytes(bytes)}` : formatBytes(bytes)}
      </span>
    </button>
  );
}

import type { Hold } from '../../../shared/contract/reaper.ts';
import type { Command } from '../../features/frame/palette/command.ts';
import { pickFile } from '../../features/import/file/import-request.ts';
import { confirmHold, pauseReaper, resumeReaper, runPass } from '../../features/reaper/reaper-actions.ts';
import { openDialog } from './dialogs.ts';
import { trySampleData } from './sample-data.ts';
import { action, type Situation } from './situation.ts';

/** Actions on the whole store, limited to those that the session may run. */
export function storeCommands(situation: Situation): Command[] {
  const { store, reaper, lost: disabled, mayWrite, mayConfigure, here } = situation;
  const paused = reaper?.paused != null;
  const detail = `whole store ${store}`;
  return [
    ...(mayWrite
      ? [
          action('import', {
            label: 'Import a file…',
            detail: 'NDJSON, JSON or CSV',
            icon: 'file',
            shortcut: 'Ctrl O',
            disabled,
            run: () => pickFile(null),
          }),
          action('new', {
            label: 'New collection…',
            icon: 'plus',
            disabled,
            run: () => openDialog('new collection'),
          }),
          action('sample', {
            label: 'Load the sample data',
            detail: 'a session store whose documents expire within minutes',
            icon: 'glass',
            disabled,
            run: () => void trySampleData(),
          }),
        ]
      : []),
    ...(mayConfigure
      ? [
          action('pause', {
            label: paused ? 'Resume the reaper' : 'Pause the reaper',
            detail,
            icon: paused ? 'running' : 'paused',
            shortcut: 'Ctrl ⇧ P',
            disabled,
            run: () => void (paused ? resumeReaper() : pauseReaper()),
          }),
          action('run', {
            label: 'Run a pass now',
            detail,
            icon: 'next',
            shortcut: 'Ctrl ⇧ R',
            disabled,
            run: () => void runPass(),
          }),
          ...(reaper?.holds ?? []).map(hold => confirmCommand(hold, store, here, disabled)),
        ]
      : []),
  ];
}

function confirmCommand(hold: Hold, store: string, here: string | null, disabled: boolean): Command {
  const what = hold.index === null ? '' : `, ${hold.index}`;
  return action(`confirm ${hold.id}`, {
    label: `Confirm the hold of ${hold.collection ?? store}`,
    detail: `${hold.cause}${what}`,
    icon: 'held',
    near: hold.collection === null || hold.collection === here,
    disabled,
    run: () => void confirmHold(hold),
  });
}

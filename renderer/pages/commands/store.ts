import { t } from '@lingui/core/macro';
import type { Hold } from '../../../shared/contract/reaper.ts';
import type { Command } from '../../features/frame/palette/command.ts';
import { pickFile } from '../../features/import/file/import-request.ts';
import { confirmHold, pauseReaper, resumeReaper, runPass } from '../../features/reaper/reaper-actions.ts';
import { action, type CommandContext, offers } from './command-context.ts';
import { openDialog } from './dialogs.ts';
import { trySampleData } from './sample-data.ts';

/** Actions on the whole store, limited to those that the session may run. */
export function storeCommands(context: CommandContext): Command[] {
  const { store, reaper, lost: disabled, mayWrite, mayConfigure, here } = context;
  const paused = reaper?.paused != null;
  const detail = t`whole store ${store}`;
  return [
    ...(mayWrite && offers(context, 'import')
      ? [
          action('import', {
            label: t`Import a file…`,
            detail: t`NDJSON, JSON or CSV`,
            icon: 'file',
            shortcut: 'Ctrl O',
            disabled,
            run: () => pickFile(null),
          }),
          action('new', {
            label: t`New collection…`,
            icon: 'plus',
            disabled,
            run: () => openDialog('new collection'),
          }),
          action('sample', {
            label: t`Load the sample data`,
            detail: t`a session store whose documents expire within minutes`,
            icon: 'glass',
            disabled,
            run: () => void trySampleData(),
          }),
        ]
      : []),
    ...(mayConfigure && offers(context, 'reaper')
      ? [
          action('pause', {
            label: paused ? t`Resume the reaper` : t`Pause the reaper`,
            detail,
            icon: paused ? 'running' : 'paused',
            shortcut: 'Ctrl ⇧ P',
            disabled,
            run: () => void (paused ? resumeReaper() : pauseReaper()),
          }),
          ...(offers(context, 'runPass')
            ? [
                action('run', {
                  label: t`Run a pass now`,
                  detail,
                  icon: 'next',
                  shortcut: 'Ctrl ⇧ R',
                  disabled,
                  run: () => void runPass(),
                }),
              ]
            : []),
          ...(reaper?.holds ?? []).map(hold => confirmCommand(hold, store, here, disabled)),
        ]
      : []),
  ];
}

function confirmCommand(hold: Hold, store: string, here: string | null, disabled: boolean): Command {
  const what = hold.index === null ? '' : `, ${hold.index}`;
  return action(`confirm ${hold.id}`, {
    label: t`Confirm the hold of ${hold.collection ?? store}`,
    detail: `${hold.cause}${what}`,
    icon: 'held',
    near: hold.collection === null || hold.collection === here,
    disabled,
    run: () => void confirmHold(hold),
  });
}

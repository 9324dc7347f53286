import { useLive, useMayConnect, useRefusal } from '../api.ts';
import { goTo, toConnections } from '../components/navigation/location.ts';
import { useShortcuts } from '../components/shortcuts/use-shortcuts.ts';
import { getZone, setZone } from '../components/time/clock.ts';
import { toggleRail } from '../features/frame/rail/rail-fold.ts';
import { pickFile } from '../features/import/file/import-request.ts';
import { pauseReaper, resumeReaper, runPass } from '../features/reaper/reaper-actions.ts';
import { nextTheme, setTheme, useTheme } from '../theme/theme.ts';
import { openDialog } from './commands/dialogs.ts';

/** Shortcuts of every page, without those that the session has no permission for. */
export function useFrameShortcuts(): void {
  const theme = useTheme();
  const paused = useLive(({ reaper }) => reaper?.paused != null);
  const mayConnect = useMayConnect();
  const mayWrite = useRefusal('imports.start') === null;
  const mayConfigure = useRefusal('reaper.pause') === null;
  const mayRun = useRefusal('reaper.run') === null;
  useShortcuts(
    {
      'mod+k': () => openDialog('palette'),
      'mod+b': toggleRail,
      ...(mayWrite && { 'mod+o': () => pickFile(null) }),
      ...(mayConfigure && {
        'mod+shift+p': () => void (paused ? resumeReaper() : pauseReaper()),
      }),
      ...(mayRun && { 'mod+shift+r': () => void runPass() }),
      'mod+shift+u': () => setZone(getZone() === 'utc' ? 'local' : 'utc'),
      'mod+shift+l': () => setTheme(nextTheme(theme)),
      ...(mayConnect && { 'mod+shift+o': () => goTo(toConnections('add')) }),
    },
    { reach: 'window' },
  );
  useShortcuts({
    'alt+arrowleft': () => history.back(),
    'alt+arrowright': () => history.forward(),
    '?': () => openDialog('shortcuts'),
  });
}

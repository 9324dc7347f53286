import { formatCount } from '../../shared/model/format.ts';
import { useLive, useMayConnect, useRefusal } from '../api.ts';
import { getZone, setZone } from '../components/clock.ts';
import {
  goTo,
  toActivity,
  toCollection,
  toConnections,
  toCreateIndex,
  toHealth,
  toOverview,
  toSettings,
} from '../components/location.ts';
import type { Command } from '../features/frame/command.ts';
import { toggleRail } from '../features/frame/rail-fold.ts';
import type { Shortcuts } from '../features/frame/shortcuts.ts';
import { pickFile } from '../features/import/import-request.ts';
import { pauseReaper, resumeReaper, runPass } from '../features/reaper/reaper-actions.ts';
import { SETTINGS_PLACES } from '../features/settings/sections.ts';
import { nextTheme, setTheme, useTheme } from '../theme/theme.ts';
import { connectionCommands } from './connection-commands.ts';
import { openDialog } from './dialogs.ts';
import { exportFrom } from './exporting.ts';
import { trySampleData } from './sample-data.ts';

const switchZone = () => setZone(getZone() === 'utc' ? 'local' : 'utc');

/** Everything that can be done or gone to from anywhere, for the palette and for the keys. */
export function useCommands(): { commands: Command[]; shortcuts: Shortcuts } {
  const theme = useTheme();
  const paused = useLive(({ reaper }) => reaper?.paused != null);
  const collections = useLive(state => state.collections);
  const store = useLive(state => state.store?.name ?? 'the store');
  const lost = useLive(({ connection }) => connection.is === 'lost');
  const connections = useLive(state => state.connections);
  const at = useLive(state => state.at);
  const mayConnect = useMayConnect();
  const mayWrite = useRefusal('write') === null;
  const mayConfigure = useRefusal('configure') === null;
  const togglePause = () => void (paused ? resumeReaper() : pauseReaper());
  const switchTheme = () => setTheme(nextTheme(theme));
  const action = (id: string, rest: Omit<Command, 'id' | 'group'>): Command => ({
    id,
    group: 'Actions',
    ...rest,
  });
  /** One that the engine does. */
  const change = (id: string, rest: Omit<Command, 'id' | 'group'>): Command =>
    action(id, { ...rest, disabled: lost });

  const commands: Command[] = [
    change('import', {
      label: 'Import a file…',
      detail: 'NDJSON, JSON or CSV',
      icon: 'file',
      shortcut: 'Ctrl O',
      run: () => pickFile(null),
    }),
    change('new', {
      label: 'New collection…',
      detail: '',
      icon: 'plus',
      run: () => openDialog('new collection'),
    }),
    change('sample', {
      label: 'Load the sample data',
      detail: 'a session store that expires as you watch',
      icon: 'glass',
      run: () => void trySampleData(),
    }),
    change('pause', {
      label: paused ? 'Resume the reaper' : 'Pause the reaper',
      detail: `whole store ${store}`,
      icon: paused ? 'running' : 'paused',
      shortcut: 'Ctrl ⇧ P',
      run: togglePause,
    }),
    change('run', {
      label: 'Run a pass now',
      detail: `whole store ${store}`,
      icon: 'next',
      shortcut: 'Ctrl ⇧ R',
      run: () => void runPass(),
    }),
    action('zone', {
      label: 'Switch between UTC and local time',
      detail: '',
      icon: 'swap',
      shortcut: 'Ctrl ⇧ U',
      run: switchZone,
    }),
    action('theme', {
      label: 'Switch the theme',
      detail: 'system, light, dark',
      icon: 'sun',
      shortcut: 'Ctrl ⇧ L',
      run: switchTheme,
    }),
    action('keys', {
      label: 'Keyboard shortcuts',
      detail: '',
      icon: 'keyboard',
      shortcut: '?',
      run: () => openDialog('shortcuts'),
    }),
    {
      id: 'overview',
      group: 'Go to',
      label: 'Overview',
      detail: store,
      icon: 'overview',
      run: () => goTo(toOverview()),
    },
    {
      id: 'activity',
      group: 'Go to',
      label: 'Activity',
      detail: 'every change as it happens',
      icon: 'activity',
      run: () => goTo(toActivity()),
    },
    {
      id: 'expired',
      group: 'Go to',
      label: 'What expired',
      detail: 'restore or purge it',
      icon: 'undo',
      run: () => goTo(toActivity('expired')),
    },
    {
      id: 'passes',
      group: 'Go to',
      label: 'Passes',
      detail: 'of the reaper',
      icon: 'next',
      run: () => goTo(toActivity('passes')),
    },
    {
      id: 'health',
      group: 'Go to',
      label: 'Health',
      detail: 'charts and findings',
      icon: 'health',
      run: () => goTo(toHealth()),
    },
    ...SETTINGS_PLACES.map(
      ({ section, label, detail }): Command => ({
        id: `settings ${section}`,
        group: 'Go to',
        label: `Settings: ${label}`,
        detail,
        icon: 'gear',
        run: () => goTo(toSettings(section)),
      }),
    ),
    ...connectionCommands(connections ?? [], at, mayConnect),
    ...[...(collections?.values() ?? [])].flatMap(({ name, documents }): Command[] => [
      {
        id: `open ${name}`,
        group: 'Go to',
        label: name,
        detail: `${formatCount(documents)} documents`,
        icon: 'table',
        run: () => goTo(toCollection(name)),
      },
      {
        id: `export ${name}`,
        group: 'Actions',
        label: 'Export…',
        detail: name,
        icon: 'download',
        disabled: lost,
        run: () => exportFrom(name),
      },
      {
        id: `indexes ${name}`,
        group: 'Go to',
        label: 'TTL indexes',
        detail: `${name}, with their policy history`,
        icon: 'glass',
        run: () => goTo(toCollection(name, 'ttl-indexes')),
      },
      {
        id: `index ${name}`,
        group: 'Actions',
        label: 'Create TTL index…',
        detail: name,
        icon: 'plus',
        disabled: lost,
        run: () => goTo(toCreateIndex(name)),
      },
    ]),
  ];

  // What the engine would refuse is not offered.
  const refused = new Set([
    ...(mayWrite ? [] : ['import', 'new', 'sample']),
    ...(mayConfigure ? [] : ['pause', 'run']),
  ]);
  const allowed = commands.filter(({ id }) => !refused.has(id) && (mayConfigure || !id.startsWith('index ')));

  return {
    commands: allowed,
    shortcuts: {
      'mod+k': () => openDialog('palette'),
      'mod+b': toggleRail,
      ...(mayWrite && { 'mod+o': () => pickFile(null) }),
      ...(mayConfigure && { 'mod+shift+p': togglePause, 'mod+shift+r': () => void runPass() }),
      'mod+shift+u': switchZone,
      'mod+shift+l': switchTheme,
      'alt+arrowleft': () => history.back(),
      'alt+arrowright': () => history.forward(),
      ...(mayConnect && { 'mod+shift+o': () => goTo(toConnections('add')) }),
      '?': () => openDialog('shortcuts'),
    },
  };
}

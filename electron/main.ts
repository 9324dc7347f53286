/** Entry of the desktop app: a list of steps, undone in reverse when it quits. */
import { join } from 'node:path';
import { app, dialog, session, shell } from 'electron';
import packageFile from '../package.json' with { type: 'json' };
import { readArguments } from './desktop/arguments.ts';
import { ChosenFiles } from './desktop/chosen-files.ts';
import { openFiles } from './desktop/dialogs.ts';
import { LogFile } from './desktop/log-file.ts';
import { showMenu } from './desktop/menu.ts';
import { Notifications } from './desktop/notifications.ts';
import { handOutPorts } from './desktop/ports.ts';
import { registerAppScheme, serveBundle } from './desktop/protocol.ts';
import { closeBeforeQuitting } from './desktop/quit.ts';
import { guardEveryPage, refusePermissions } from './desktop/security.ts';
import { isOnlyInstance } from './desktop/single-instance.ts';
import { endWithTheWindow, MainWindow } from './desktop/window.ts';
import { startEngine } from './engine/client.ts';
import { systemClock } from './engine/platform/clock.ts';
import { createLogger, errorFields } from './engine/platform/logger.ts';
import { dataFolder } from './engine/platform/paths.ts';
import { Stores } from './host/connections.ts';
import { doorsHere } from './host/local-socket/socket-servers.ts';

const here = import.meta.dirname;
const { storeFile, logLevel } = readArguments(process.argv.slice(1));
const logFile = new LogFile(join(dataFolder(), 'logs', 'sandglass.log'));
const log = createLogger(logLevel, systemClock.now, logFile.write);
const window = new MainWindow({
  preload: join(here, 'preload.cjs'),
  stateFile: join(dataFolder(), 'window.json'),
  log,
});

async function start(): Promise<void> {
  const steps = new AsyncDisposableStack();
  closeBeforeQuitting(() => steps.disposeAsync(), systemClock, log);
  refusePermissions(session.defaultSession);
  steps.use(guardEveryPage(log));
  const notifications = new Notifications({
    settingFile: join(dataFolder(), 'notifications.json'),
    openWindow: () => window.show(),
    log,
  });
  const files = new ChosenFiles();
  steps.use(serveBundle(join(here, '..', 'renderer'), files));
  const stores = steps.use(
    new Stores({
      home: storeFile,
      start: ({ id, file, readOnly, whereabouts }, host) =>
        startEngine({
          storeFile: file,
          logLevel,
          version: packageFile.version,
          whereabouts,
          readOnly,
          connection: { id, host },
          onAlerts: active => notifications.update(file, active),
          writeLog: logFile.write,
        }),
      doors: doorsHere(systemClock, log),
      clock: systemClock,
      log,
    }),
  );
  steps.use(handOutPorts(stores, log));
  steps.use(openFiles(files, log));
  showMenu({ openLog: () => void openLog(), notifications });
  endWithTheWindow(window);
  window.show();
  await stores.opened;
  stores.openOthers();
}

/** Opens the log in the program that this system opens text with; where it has none, its folder. */
async function openLog(): Promise<void> {
  const problem = await shell.openPath(logFile.path);
  if (problem !== '') shell.showItemInFolder(logFile.path);
}

registerAppScheme();
if (isOnlyInstance(join(dataFolder(), 'electron'), () => window.show())) {
  // No top-level await: Electron is ready only after its entry has been evaluated.
  app.whenReady().then(start).catch(giveUp);
} else {
  process.stderr.write('Sandglass is open already; its window is in front now.\n');
  app.quit();
}

/** Without a store there is nothing to show. */
function giveUp(error: unknown): void {
  log.error('Sandglass cannot start', errorFields(error));
  dialog.showErrorBox(
    'Sandglass cannot open its store',
    error instanceof Error ? error.message : String(error),
  );
  app.exit(1);
}

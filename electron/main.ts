/** Entry of the desktop app: a list of steps, disposed in reverse order when it quits. */
import { join } from 'node:path';
import { app, dialog, session, shell } from 'electron';
import packageFile from '../package.json' with { type: 'json' };
import { readArguments } from './desktop/arguments.ts';
import { ChosenFiles } from './desktop/chosen-files.ts';
import { handleFileRequests } from './desktop/dialogs.ts';
import { LogFile } from './desktop/log-file.ts';
import { showMenu } from './desktop/menu.ts';
import { Notifications } from './desktop/notifications.ts';
import { handlePortRequests } from './desktop/ports.ts';
import { registerAppScheme, serveBundle } from './desktop/protocol.ts';
import { closeBeforeQuitting } from './desktop/quit.ts';
import { secretVault } from './desktop/secret-vault.ts';
import { guardEveryPage, refusePermissions } from './desktop/security.ts';
import { isOnlyInstance } from './desktop/single-instance.ts';
import { AppWindows, quitWithLastWindow } from './desktop/window.ts';
import { startEngine } from './engine/client.ts';
import { systemClock } from './engine/platform/clock.ts';
import { createLogger, errorFields } from './engine/platform/logger.ts';
import { dataFolder } from './engine/platform/paths.ts';
import { ConnectionSecrets } from './host/connection-secrets.ts';
import { HostConnections } from './host/connections.ts';
import { localSockets } from './host/local-socket/socket-servers.ts';

const here = import.meta.dirname;
const { storeFile, logLevel } = readArguments(process.argv.slice(1));
const logFile = new LogFile(join(dataFolder(), 'logs', 'sandglass.log'));
const log = createLogger(logLevel, systemClock.now, logFile.write);
const windows = new AppWindows({
  preload: join(here, 'preload.cjs'),
  stateFile: join(dataFolder(), 'window.json'),
  log,
});

async function start(): Promise<void> {
  const steps = new AsyncDisposableStack();
  const close = () => steps.disposeAsync();
  closeBeforeQuitting({ closeWindows: () => windows.close(), close }, systemClock, log);
  refusePermissions(session.defaultSession);
  steps.use(guardEveryPage(log));
  const notifications = new Notifications({
    settingFile: join(dataFolder(), 'notifications.json'),
    openWindow: () => windows.show(),
    log,
  });
  const files = new ChosenFiles();
  steps.use(serveBundle(join(here, '..', 'renderer'), files));
  const connections = steps.use(
    new HostConnections({
      home: storeFile,
      start: ({ id, store, readOnly, endpoint }, host) =>
        startEngine({
          store,
          logLevel,
          version: packageFile.version,
          endpoint,
          readOnly,
          connection: { id, host },
          ...(store.kind === 'file' && { onAlerts: active => notifications.update(store.file, active) }),
          writeLog: logFile.write,
        }),
      secrets: new ConnectionSecrets(secretVault(dataFolder())),
      sockets: localSockets(systemClock, log),
      clock: systemClock,
      log,
    }),
  );
  steps.use(handlePortRequests(connections, log));
  steps.use(handleFileRequests(files, log));
  showMenu({ openWindow: () => windows.open(), openLog: () => void openLog(), notifications });
  quitWithLastWindow(windows);
  windows.show();
  await connections.opened;
  connections.openOthers();
}

/** Opens the log in the system's default program for text; if there is none, shows its folder. */
async function openLog(): Promise<void> {
  const problem = await shell.openPath(logFile.path);
  if (problem !== '') shell.showItemInFolder(logFile.path);
}

registerAppScheme();
if (isOnlyInstance(join(dataFolder(), 'electron'), () => windows.show())) {
  // No top-level await: Electron is ready only after its entry has been evaluated.
  app.whenReady().then(start).catch(exitWithError);
} else {
  process.stderr.write('Sandglass is running already; its window was brought to the front.\n');
  app.quit();
}

/** Shows the error and exits: without its home store the app cannot run. */
function exitWithError(error: unknown): void {
  log.error('Sandglass cannot start', errorFields(error));
  dialog.showErrorBox(
    'Sandglass cannot open its store',
    error instanceof Error ? error.message : String(error),
  );
  app.exit(1);
}

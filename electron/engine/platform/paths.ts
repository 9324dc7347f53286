import { homedir, platform, userInfo } from 'node:os';
import { join } from 'node:path';

/** The system's folder for program data; SANDGLASS_HOME overrides it. */
export function dataFolder(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.SANDGLASS_HOME) return environment.SANDGLASS_HOME;
  switch (platform()) {
    case 'win32':
      return join(environment.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Sandglass');
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', 'Sandglass');
    default:
      return join(environment.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'sandglass');
  }
}

export function defaultStoreFile(): string {
  return join(dataFolder(), 'app.sandglass');
}

/** Default file of the mirror of a leader; each leader has its own [V5]. */
export function mirrorFile(leader: string): string {
  return join(dataFolder(), `mirror-of-${new URL(leader).host.replaceAll(/[^A-Za-z0-9.-]/g, '_')}.sandglass`);
}

/** The user name of this machine's user in history [P1]. */
export function currentUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user id without a name.
    return 'local user';
  }
}

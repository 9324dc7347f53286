import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Handler } from './bundle-server.ts';
import { record } from './record.ts';
import { strict } from './strict.ts';

/** The app's handler of its own scheme. */
export let protocolHandler: Handler | undefined;

export const protocol = strict('protocol', {
  registerSchemesAsPrivileged: (schemes: unknown) => record('protocol.registerSchemesAsPrivileged', schemes),
  handle(scheme: string, handler: Handler): void {
    record('protocol.handle', scheme);
    protocolHandler = handler;
  },
  unhandle(): void {
    protocolHandler = undefined;
  },
});

/** Throws without an answer of the test: a real dialog would wait for ever. */
export const dialog = strict('dialog', {
  showOpenDialog(...args: unknown[]): Promise<never> {
    record('dialog.showOpenDialog', ...args);
    return Promise.reject(new Error('nobody answers this dialog: a test sets dialog.showOpenDialog'));
  },
  showMessageBoxSync(): never {
    throw new Error('nobody answers this question: a test sets dialog.showMessageBoxSync');
  },
  showErrorBox(title: string, content: string): void {
    record('dialog.showErrorBox', title, content);
    process.stderr.write(`${title}: ${content}\n`);
  },
});

/** Opens nothing; a test reads the recorded calls. */
export const shell = strict('shell', {
  openPath(path: string): Promise<string> {
    record('shell.openPath', path);
    return Promise.resolve('');
  },
});

export const session = strict('session', {
  defaultSession: strict('defaultSession', {
    setPermissionRequestHandler: (handler: unknown) => record('setPermissionRequestHandler', handler),
    setPermissionCheckHandler: (handler: unknown) => record('setPermissionCheckHandler', handler),
  }),
});

export const screen = strict('screen', {
  getAllDisplays: () => [{ id: 1, workArea: { x: 0, y: 0, width: 1600, height: 1000 } }],
});

/** Key of the keychain, 64 hexadecimal digits; absent: a Linux without one, where Electron only obscures stored values. */
const KEYCHAIN = process.env.ELECTRON_DOUBLE_KEYCHAIN;

function keyOfKeychain(): Buffer {
  if (KEYCHAIN === undefined) throw new Error('the keychain of the Electron double is not available');
  return Buffer.from(KEYCHAIN, 'hex');
}

export const safeStorage = strict('safeStorage', {
  isEncryptionAvailable: () => true,
  getSelectedStorageBackend: () => (KEYCHAIN === undefined ? 'basic_text' : 'gnome_libsecret'),
  encryptString(text: string): Buffer {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', keyOfKeychain(), iv);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  },
  decryptString(bytes: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', keyOfKeychain(), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  },
});

export const nativeTheme = strict('nativeTheme', { shouldUseDarkColors: false });

/** Shows nothing; a test reads the recorded notifications and clicks the last one. */
class DoubleNotification extends EventEmitter {
  static last: DoubleNotification | undefined;
  readonly #words: unknown;

  constructor(words: { title: string; body: string }) {
    super();
    this.#words = words;
  }
  static isSupported(): boolean {
    return true;
  }
  show(): void {
    record('Notification.show', this.#words);
    DoubleNotification.last = this;
  }
}

export const Notification = strict('Notification', DoubleNotification);

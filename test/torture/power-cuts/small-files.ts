import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readWindowState, writeWindowState } from '../../../electron/desktop/window-state.ts';
import {
  readTokenFile,
  tokenFile,
  writeTokenFile,
} from '../../../electron/engine/backends/embedded/administration/token-file.ts';
import { ExpectedPolicyFile } from '../../../electron/engine/files/expected-policy-file.ts';
import { ownerFile, readOwner, writeOwner } from '../../../electron/engine/files/owner-file.ts';
import { WebhookFile } from '../../../electron/engine/monitoring/webhook-file.ts';
import {
  connectionListFile,
  connectionListText,
  readConnectionList,
  writeConnectionList,
} from '../../../electron/host/connection-list-file.ts';
import { SecretFile } from '../../../electron/host/secret-file.ts';
import { tokenInFile } from '../../../electron/web/authentication/token.ts';

/** A file beside a store that is replaced as a whole. */
export interface SmallFile {
  /** Whether what was written is on the disk when the call returns; otherwise a cut may bring an older version back. */
  readonly isDurable: boolean;
  /** Writes version `nth`, from 1 on. */
  write(nth: number): void | Promise<void>;
  /** Returns the version; 0: there is no file. Throws for a file that is neither version. */
  read(): number;
}

const PLAIN = {
  encrypt: (text: string) => Buffer.from(text),
  decrypt: (bytes: Buffer) => bytes.toString(),
};

/** Longer than a sector, so that a part of it can be missing. */
const PADDING = 'x'.repeat(3_000);

/** The small files of a store in `folder`, and of its host, by name. */
export function smallFilesIn(folder: string): Readonly<Record<string, SmallFile>> {
  const store = join(folder, 'a.sandglass');
  const connections = connectionListFile(store);
  const tokens = (isDurable: boolean, base: string): SmallFile => ({
    isDurable,
    write: nth => writeTokenFile(tokenFile(base), [token(nth)], isDurable),
    read: () => readTokenFile(tokenFile(base))?.[0]?.createdAt ?? 0,
  });
  const webhook = new WebhookFile(store);
  const secrets = new SecretFile(join(folder, 'secrets'), PLAIN);
  const windowState = join(folder, 'desktop', 'window.json');
  const hostToken = join(folder, 'served', 'token');
  return {
    'list of connections': {
      isDurable: true,
      write: nth => void writeConnectionList(connections, { home: label(nth), others: [] }),
      read: () => readConnectionList(connections, connectionListText(connections)).home?.colour ?? 0,
    },
    tokens: tokens(true, store),
    'last use of tokens': tokens(false, join(folder, 'b.sandglass')),
    webhook: {
      isDurable: true,
      // Every third version removes it.
      write: nth =>
        webhook.write(
          nth % 3 === 0 ? null : { url: `http://a/${nth}`, secret: PADDING, insecure: true, delivered: [] },
        ),
      read: () => Number(webhook.read()?.url.slice('http://a/'.length) ?? 0),
    },
    'expected policy': {
      isDurable: true,
      write: nth =>
        new ExpectedPolicyFile(store).keep({
          policy: { version: 1, collections: {} },
          by: PADDING,
          since: nth,
        }),
      read: () => new ExpectedPolicyFile(store).current?.since ?? 0,
    },
    secrets: {
      isDurable: true,
      write: nth => secrets.write('a', `${nth} ${PADDING}`),
      read: () => {
        const secret = secrets.read('a');
        if (
          secret === undefined &&
          statSync(join(folder, 'secrets'), { throwIfNoEntry: false }) !== undefined
        )
          throw new Error('the secrets are lost');
        return Number(secret?.split(' ')[0] ?? 0);
      },
    },
    'owner file': {
      isDurable: false,
      write: nth => void writeOwner(store, { address: `http://127.0.0.1:${nth}/${PADDING}` }),
      read: () => {
        const owner = readOwner(store);
        if (owner === null && statSync(ownerFile(store), { throwIfNoEntry: false }) !== undefined)
          throw new Error('the owner file is unreadable');
        return owner?.address === undefined ? 0 : Number(new URL(owner.address).port);
      },
    },
    'window state': {
      isDurable: false,
      write: nth =>
        writeWindowState(windowState, { bounds: { x: nth, y: 0, width: 1, height: 1 }, maximized: false }),
      read: () => {
        const state = readWindowState(windowState);
        if (state === undefined && statSync(windowState, { throwIfNoEntry: false }) !== undefined)
          throw new Error('the window state is unreadable');
        return state?.bounds.x ?? 0;
      },
    },
    'token of the host': {
      isDurable: true,
      // Written once, and read from then on.
      write: async () => void (await tokenInFile(hostToken)),
      read: () => {
        if (statSync(hostToken, { throwIfNoEntry: false }) === undefined) return 0;
        if (!/^[A-Za-z0-9._~-]{16,}\n$/.test(readFileSync(hostToken, 'utf8')))
          throw new Error('the token is unreadable');
        return 1;
      },
    },
  };
}

function label(nth: number) {
  return { name: PADDING.slice(0, 60), colour: nth, environment: 'development', readOnly: false } as const;
}

function token(nth: number) {
  return {
    name: 'a',
    sha256: PADDING,
    permission: 'read',
    createdAt: nth,
    createdBy: 'ada',
    lastUsedAt: null,
    expiresAt: null,
  } as const;
}

import { basename } from 'node:path';
import {
  type ConnectionChange,
  type ConnectionLabel,
  type ConnectionRecord,
  HOME_CONNECTION,
  type NewConnection,
  type ServerSecrets,
  type TargetWithSecrets,
} from '../../../shared/contract/connections.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { AllowedServers } from '../access/server-address.ts';

/** Calls of an engine's thread to its host. */
export type ConnectionCall =
  | {
      what: 'test';
      /** `connection`: the one that is changed. */
      input: { target: TargetWithSecrets; connection?: string | undefined };
      allowed: AllowedServers | null;
    }
  | {
      what: 'add';
      input: NewConnection & { target: TargetWithSecrets };
      allowed: AllowedServers | null;
    }
  /** `allowed`: servers that the caller may connect to; null: any. */
  | { what: 'change'; input: ConnectionChange; allowed: AllowedServers | null }
  | { what: 'open'; input: { id: string } & ServerSecrets }
  | { what: 'close' | 'remove'; input: { id: string } }
  /** Closes and opens the connection of the engine that calls: its server is of another kind than was known. */
  | { what: 'reopen'; input?: undefined }
  | { what: 'secretStorage'; input?: undefined };

/** The connections of the host, for one engine. */
export interface Connections {
  /** The engine's own connection. */
  readonly id: string;
  /** All connections, home first. A change replaces the array. */
  readonly list: readonly ConnectionRecord[];
  /** Calls `listener` after each change, until the returned function is called. */
  onChange(listener: () => void): () => void;
  /** Returns the answer of the contract. Rejects with the host's error. */
  call(call: ConnectionCall): Promise<unknown>;
}

/** The host's connections, as offered to the engine of each. */
export interface ConnectionsHost {
  readonly list: readonly ConnectionRecord[];
  onChange(listener: () => void): () => void;
  /** `from`: the connection whose engine received the call. */
  call(call: ConnectionCall, from: string): Promise<unknown>;
}

/** Label of the home store until a person changes it. */
export function homeLabel(file: string): ConnectionLabel {
  const name = basename(file, '.sandglass');
  return {
    name: name === '' ? basename(file) : name,
    colour: 1,
    environment: 'development',
    readOnly: false,
  };
}

/** The connections of an engine without a host, such as one that a command opens. */
export function homeOnlyConnections(file: string): Connections {
  const home: ConnectionRecord = {
    id: HOME_CONNECTION,
    ...homeLabel(file),
    target: { kind: 'file', file },
    state: { is: 'open' },
  };
  return {
    id: HOME_CONNECTION,
    list: [home],
    onChange: () => () => {},
    async call() {
      throw new SandglassError(
        'CONNECTION_NOT_OPEN',
        `${file} is open for a single command. Start Sandglass on it, and add connections there.`,
        { file },
      );
    },
  };
}

import { basename } from 'node:path';
import {
  type ConnectionChange,
  type ConnectionLabel,
  type ConnectionRecord,
  type ConnectionTarget,
  HOME_CONNECTION,
  type NewConnection,
} from '../../../shared/contract/connections.ts';
import { SandglassError } from '../../../shared/model/errors.ts';

/** What an engine's thread asks of the host that holds all of them. */
export type ConnectionCall =
  | { what: 'test'; input: ConnectionTarget }
  | { what: 'add'; input: NewConnection & { target: ConnectionTarget } }
  | { what: 'change'; input: ConnectionChange }
  | { what: 'open' | 'close' | 'remove'; input: { id: string } };

/** What one engine knows of the stores that its host has open or knows. */
export interface Connections {
  /** The one that it answers for. */
  readonly id: string;
  /** Home first. A change makes another array. */
  readonly list: readonly ConnectionRecord[];
  /** Calls `listener` after each change, until the returned function is called. */
  onChange(listener: () => void): () => void;
  /** Answers as the contract says. Rejects with what the host refuses. */
  ask(call: ConnectionCall): Promise<unknown>;
}

/** What holds all the stores, as the engine of each is connected to it. */
export interface ConnectionsHost {
  readonly list: readonly ConnectionRecord[];
  onChange(listener: () => void): () => void;
  /** `from`: the connection in whose engine somebody asked. */
  ask(call: ConnectionCall, from: string): Promise<unknown>;
}

/** How the home store is called until somebody says otherwise. */
export function homeLabel(file: string): ConnectionLabel {
  const name = basename(file, '.sandglass');
  return {
    name: name === '' ? basename(file) : name,
    colour: 1,
    environment: 'development',
    readOnly: false,
  };
}

/** Those of an engine that no host holds others beside, as one that a command opens for itself. */
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
    async ask() {
      throw new SandglassError(
        'CONNECTION_NOT_OPEN',
        `${file} is open for one command alone. Start Sandglass on it, and connect other stores there.`,
        { file },
      );
    },
  };
}

/**
 * The window's interface to its engine: calls, live state and the engine's clock. Import only this file, not the
 * folder beside it.
 */
import { chooseFile, connectByPort } from './api/desktop.ts';
import { beginSession } from './api/session.ts';
import { takeToken } from './api/token.ts';
import { connectBySocket, type OpenTransport, socketUrl } from './api/transport.ts';

export {
  answerWrite,
  Declined,
  distrust,
  TRUSTED_MS,
  trustedConnections,
  trustedFor,
  type WriteQuestion,
  writeQuestion,
} from './api/confirm-production-write.ts';
export { answerEffect, confirmEffect, type EffectQuestion, effectQuestion } from './api/effect-question.ts';
export { engineNow } from './api/engine-clock.ts';
export { useAway, useCurrentConnection, useMayConnect } from './api/known-connections.ts';
export { queryClient, useLiveQuery } from './api/live-query.ts';
export type { ConnectionState, LiveState } from './api/live-state.ts';
export { liveState, useLive } from './api/live-store.ts';
export { NotConnected } from './api/not-connected.ts';
export { useIndexChoices, useMissing, useRefusal, useRestoreConflicts, useWords } from './api/permission.ts';
export { type Problem, problemOf } from './api/problem.ts';
export { orpc } from './api/queries.ts';
export {
  type CausedRemoval,
  offerLastRemoval,
  onCausedRemoval,
  onLastRemovalOffered,
  reportingRemovals,
  reportRemoval,
} from './api/removal-reports.ts';
export {
  callStore,
  client,
  connectionsClient,
  goToConnection,
  onConnectionChange,
  oneAction,
  onReconnect,
  reconnectNow,
} from './api/session.ts';
export { refreshStoreSpace, useStoreSpace } from './api/store-space.ts';
export { useChange } from './api/use-change.ts';
export { useKeptChanges } from './api/use-kept-changes.ts';

/** Called once, before the first render: sets the first connection. */
export function startApi(connection: string): void {
  beginSession(transportsOfHost(), connection);
}

function transportsOfHost(): (connection: string) => OpenTransport {
  const bridge = window.sandglass;
  if (bridge !== undefined) return connection => connectByPort(bridge, connection);
  const token = takeToken();
  return connection => connectBySocket(socketUrl(location.href, connection), token);
}

/** Whether the window belongs to the desktop app, which can open further windows. */
export const isDesktop = (): boolean => window.sandglass !== undefined;

/** The desktop's file dialog; undefined in a browser. */
export function desktopFileDialog(): (() => Promise<File | null>) | undefined {
  const bridge = window.sandglass;
  return bridge && (() => chooseFile(bridge));
}

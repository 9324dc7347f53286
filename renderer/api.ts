/** All that the window knows of its engine: calls, the live state and the engine's clock. The folder beside it is private. */
import { chooseFile, connectByPort } from './api/desktop.ts';
import { keepConnected } from './api/session.ts';
import { takeToken } from './api/token.ts';
import { connectBySocket, socketUrl } from './api/transport.ts';

export { engineNow } from './api/engine-clock.ts';
export { queryClient, useLiveQuery } from './api/live-query.ts';
export type { ConnectionState, LiveState } from './api/live-state.ts';
export { liveState, useLive } from './api/live-store.ts';
export { useRefusal } from './api/permission.ts';
export { type Problem, problemOf } from './api/problem.ts';
export { client, NotConnected, onReconnect, reconnectNow } from './api/session.ts';
export { useWeights } from './api/weights.ts';

/** Called once, before the first render. */
export function startApi(): void {
  const bridge = window.sandglass;
  void keepConnected(
    bridge === undefined ? connectBySocket(socketUrl(location.href), takeToken()) : connectByPort(bridge),
  );
}

/** The desktop's file dialog, or undefined in a browser, which has its own. */
export function desktopFileDialog(): (() => Promise<File | null>) | undefined {
  const bridge = window.sandglass;
  return bridge && (() => chooseFile(bridge));
}

/** All that the window knows of its engine: calls, the live state and the engine's clock. The folder beside it is private. */
import { keepConnected } from './api/session.ts';
import { takeToken } from './api/token.ts';
import { connectBySocket, socketUrl } from './api/transport.ts';

export { engineNow } from './api/engine-clock.ts';
export { queryClient, useLiveQuery } from './api/live-query.ts';
export type { ConnectionState, LiveState } from './api/live-state.ts';
export { liveState, useLive } from './api/live-store.ts';
export { type Problem, problemOf } from './api/problem.ts';
export { client, NotConnected, onReconnect, reconnectNow } from './api/session.ts';

/** Called once, before the first render. */
export function startApi(): void {
  void keepConnected(connectBySocket(socketUrl(location.href), takeToken()));
}

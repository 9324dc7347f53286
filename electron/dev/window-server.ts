import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { createLogger, createServer, type Logger, type ProxyOptions, type ViteDevServer } from 'vite';
import { SOCKET_PATH } from '../../shared/model/transport/window-socket.ts';
import { CONTENT_SECURITY_POLICY, SECURITY_HEADERS } from '../web/answer/response.ts';

export interface WindowServerOptions {
  root: string;
  port: number;
  /** Port of the served host on 127.0.0.1. */
  enginePort: number;
  /** Takes the path of each changed file of `electron` and `shared`, from the root and with slashes. */
  onChange(path: string): void;
}

/** Vite and React's refresh add inline scripts and styles with this nonce. */
const NONCE = 'development';

/** The policy of the served host; additionally permits scripts and styles with the nonce. */
const DEV_CONTENT_SECURITY_POLICY = [
  CONTENT_SECURITY_POLICY,
  `script-src 'self' 'nonce-${NONCE}'`,
  `style-src 'self' 'nonce-${NONCE}'`,
].join('; ');

/**
 * Starts Vite's server for the window with hot reload. Calls and sockets are forwarded to the served host, with the
 * window's own Host and Origin, so that its checks get the same values as without Vite. Rejects if the port is in use.
 */
export async function startWindowServer(options: WindowServerOptions): Promise<ViteDevServer> {
  const { root, port, enginePort, onChange } = options;
  const target = `http://127.0.0.1:${enginePort}`;
  const toEngine: ProxyOptions = {
    target,
    bypass: ({ url = '/' }) => (isWindowModule(url, root) ? url : undefined),
  };
  const server = await createServer({
    configFile: join(root, 'vite.config.ts'),
    mode: 'development',
    customLogger: loggerWithoutRefusals(),
    html: { cspNonce: NONCE },
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      headers: { ...SECURITY_HEADERS, 'content-security-policy': DEV_CONTENT_SECURITY_POLICY },
      fs: { allow: [root] },
      proxy: {
        '^/(api|_api|_fabric|metrics|healthz)([/?]|$)': toEngine,
        [SOCKET_PATH]: { target, ws: true },
      },
    },
  });
  server.watcher.add([join(root, 'electron'), join(root, 'shared')]);
  server.watcher.on('all', (event, file) => {
    if (event !== 'addDir' && event !== 'unlinkDir') onChange(relative(root, file).split(sep).join('/'));
  });
  return server.listen();
}

/** Whether an address is a module of `renderer/api` and not a call of the API. */
function isWindowModule(url: string, root: string): boolean {
  const { pathname } = new URL(url, 'http://window');
  return existsSync(join(root, 'renderer', pathname));
}

/** Does not log calls that fail because the engine restarts: the window repeats them. */
function loggerWithoutRefusals(): Logger {
  const logger = createLogger();
  return {
    ...logger,
    error(message, options) {
      if (!/proxy error.*ECONNREFUSED/s.test(message)) logger.error(message, options);
    },
  };
}

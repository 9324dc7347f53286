/** `npm run dev`: Vite's server for the window, and before it a served host that restarts when its sources change. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../engine/platform/clock.ts';
import { tokenInFile } from '../web/authentication/token.ts';
import { DEV_HELP, engineWords, parseDevArguments } from './arguments.ts';
import { EngineProcess, type StartedProcess } from './engine-process.ts';
import { isEngineSource } from './engine-sources.ts';
import { startWindowServer } from './window-server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const say = (line: string) => void process.stderr.write(`${line}\n`);

/** Returns an unused port of 127.0.0.1. The engine keeps it over its restarts. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}

function startProcess(words: readonly string[]): StartedProcess {
  // People open the window's address, not that of the engine.
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = new Promise<number | null>(resolve => {
    child.on('exit', code => resolve(code));
    child.on('error', error => {
      say(error.message);
      resolve(1);
    });
  });
  return { exited, stop: () => void child.kill('SIGTERM') };
}

async function dev(words: readonly string[]): Promise<number> {
  const given = parseDevArguments(words, ROOT, process.cwd());
  if ('help' in given) {
    process.stdout.write(DEV_HELP);
    return 0;
  }
  if ('problem' in given) {
    say(`${given.problem} \`npm run dev -- --help\` lists the flags.`);
    return 2;
  }
  const stop = Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map(signal => once(process, signal)));
  await mkdir(dirname(given.storeFile), { recursive: true });
  const { token } = await tokenInFile(given.tokenFile);
  const enginePort = await freePort();
  const arguments_ = engineWords(join(ROOT, 'electron/serve.ts'), enginePort, given);
  await using engine = new EngineProcess(() => startProcess(arguments_), systemClock, say);
  const server = await startWindowServer({
    root: ROOT,
    port: given.port,
    enginePort,
    onChange: path => {
      if (isEngineSource(path)) engine.sourceChanged(path);
    },
  });
  engine.start();
  process.stdout.write(`Sandglass is at http://127.0.0.1:${given.port}/#token=${token}\n`);
  await stop;
  await server.close();
  return 0;
}

process.exitCode = await dev(process.argv.slice(2));

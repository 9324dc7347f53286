import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { nodeOptions } from './runtime.mjs';

/**
 * Runs a child process in place of this one: signals are forwarded to it.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>} Its exit code; 1 if a signal ended it.
 */
export function run(command, args, options = {}) {
  return new Promise(resolve => {
    const child = spawn(command, [...args], { stdio: 'inherit', ...options });
    /** @param {NodeJS.Signals} signal */
    const pass = signal => void child.kill(signal);
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
    for (const signal of signals) process.on(signal, pass);
    child.on('error', error => {
      process.stderr.write(`${command}: ${error.message}\n`);
      resolve(1);
    });
    child.on('exit', code => {
      for (const signal of signals) process.off(signal, pass);
      resolve(code ?? 1);
    });
  });
}

/**
 * Runs a module of the build on a Node: in this process if that is its Node, otherwise in a child process.
 *
 * @param {string} node
 * @param {string} entry
 * @param {readonly string[]} argv
 * @returns {Promise<number | undefined>} The exit code of the child; undefined in this process.
 */
export async function runEntry(node, entry, argv) {
  if (node !== process.execPath) return run(node, [...nodeOptions(), entry, ...argv]);
  await import(pathToFileURL(entry).href);
  return undefined;
}

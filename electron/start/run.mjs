// Runs a child process in place of this one: signals are forwarded to it, and its exit code is returned.
import { spawn } from 'node:child_process';

/**
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

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const launcher = fileURLToPath(new URL('../../electron/launch.mjs', import.meta.url));

function launch(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...words], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('npm start', () => {
  it('shows the flags with --help, and starts nothing', () => {
    const { status, stdout, stderr } = launch('--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('--token-file FILE');
  });

  it('refuses an unknown flag, on one line, with exit code 2', () => {
    expect(launch('--prot', '80')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'There is no flag --prot. `npm start -- --help` lists all flags.\n',
    });
  });

  it('refuses an invalid value, with exit code 2', () => {
    const { status, stderr } = launch('--port', 'http');
    expect(status).toBe(2);
    expect(stderr).toContain('not “http”');
  });
});

import { describe, expect, it } from 'vitest';
import { engineWords, parseDevArguments } from '../../../electron/dev/arguments.ts';
import { parseFlags } from '../../../electron/start/flags.mjs';

const parse = (...words: string[]) => parseDevArguments(words, '/root', '/here');

describe('the flags of npm run dev', () => {
  it('keep store and token in the checkout, and the address fixed', () => {
    expect(parse()).toEqual({
      port: 7273,
      storeFile: '/root/.sandglass/dev/store.sandglass',
      tokenFile: '/root/.sandglass/dev/token',
      logLevel: 'info',
      inspect: false,
    });
  });

  it('name another store, from the folder where the command was given', () => {
    expect(parse('--store', 'big.sandglass', '--port=8000')).toMatchObject({
      storeFile: '/here/big.sandglass',
      port: 8000,
    });
  });

  it.each([['--prot'], ['--port', 'http'], ['--log-level', 'loud'], ['word']])('refuse %s %s', (...words) => {
    expect(parse(...words)).toHaveProperty('problem');
  });

  it('are converted to flags of the served host', () => {
    const dev = parse('--inspect', '--log-level', 'debug');
    if (!('port' in dev)) throw new Error('refused');
    const [inspect, entry, ...words] = engineWords('serve.ts', 1234, dev);
    expect([inspect, entry]).toEqual(['--inspect', 'serve.ts']);
    expect(parseFlags(words).flags).toMatchObject({
      open: false,
      port: 1234,
      logLevel: 'debug',
      store: '/root/.sandglass/dev/store.sandglass',
      tokenFile: '/root/.sandglass/dev/token',
    });
  });
});

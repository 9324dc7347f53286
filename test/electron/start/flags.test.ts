import { describe, expect, it } from 'vitest';
import { helpText, parseFlags } from '../../../electron/start/flags.mjs';

describe('the flags of npm start', () => {
  it('have defaults: loopback, the default port, a window', () => {
    expect(parseFlags([]).flags).toEqual({
      serve: false,
      open: true,
      port: undefined,
      host: '127.0.0.1',
      store: undefined,
      tokenFile: undefined,
      follow: undefined,
      followTokenFile: undefined,
      syncTimeout: 10,
      logLevel: 'info',
      help: false,
      backupDir: undefined,
      storesDir: undefined,
      secretsDir: undefined,
      publicUrls: [],
      allowedServers: [],
      trustedProxies: [],
      tlsCert: undefined,
      tlsKey: undefined,
      insecure: false,
    });
  });

  it('take their value from the next word or after an equals sign', () => {
    const words = [
      '--port',
      '0',
      '--host=0.0.0.0',
      '--store=a=b',
      '--token-file',
      't',
      '--log-level',
      'debug',
    ];
    expect(parseFlags(words).flags).toMatchObject({
      port: 0,
      host: '0.0.0.0',
      store: 'a=b',
      tokenFile: 't',
      logLevel: 'debug',
    });
  });

  it('serve without Electron where no window is opened', () => {
    expect(parseFlags(['--no-open']).flags).toMatchObject({ serve: true, open: false });
    expect(parseFlags(['--serve']).flags).toMatchObject({ serve: true, open: true });
  });

  it('mirror a leader, whose token is refused on the command line', () => {
    const { problem = '' } = parseFlags(['--follow', 'http://leader:7263/#token=abc']);
    expect(problem).toContain('$SANDGLASS_FOLLOW_TOKEN');
    expect(problem).not.toContain('abc');
    expect(parseFlags(['--follow', 'http://leader:7263/', '--sync-timeout', '2.5']).flags).toMatchObject({
      serve: true,
      follow: 'http://leader:7263/',
      syncTimeout: 2.5,
    });
    expect(parseFlags(['--follow=https://here/below', '--follow-token-file', 'f']).flags).toMatchObject({
      follow: 'https://here/below',
      followTokenFile: 'f',
    });
  });

  it.each([
    [['--prot', '1'], 'There is no flag --prot.'],
    [['--constructor'], 'There is no flag --constructor.'],
    [['store.sandglass'], '“store.sandglass” is not a flag.'],
    [['--port'], '--port needs a value: --port N.'],
    [['--store='], '--store needs a value: --store FILE.'],
    [['--port', '65536'], '--port must be a number from 0 to 65535, not “65536”.'],
    [['--port', '-1'], '--port must be a number from 0 to 65535, not “-1”.'],
    [['--port', '8e3'], '--port must be a number from 0 to 65535, not “8e3”.'],
    [['--log-level', 'loud'], '--log-level must be one of debug, info, warn, error, silent, not “loud”.'],
    [
      ['--follow', 'leader:7263'],
      '--follow must be an address such as http://server:7263, not “leader:7263”.',
    ],
    [['--sync-timeout', '0'], '--sync-timeout must be a number of seconds from 0.5 to 86400, not “0”.'],
    [['--host', 'a b'], '--host must be a host name or an IP address, not “a b”.'],
    [['--help=yes'], '--help takes no value.'],
  ])('%j are refused with a message', (words, problem) => {
    expect(parseFlags(words)).toEqual({ problem });
  });

  it('are all in the help', () => {
    for (const name of [
      'serve',
      'no-open',
      'port',
      'host',
      'store',
      'token-file',
      'follow',
      'follow-token-file',
      'sync-timeout',
      'log-level',
      'help',
    ]) {
      expect(helpText()).toMatch(new RegExp(`^  --${name}\\b`, 'm'));
    }
  });
});

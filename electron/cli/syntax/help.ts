import type { CommandSyntax } from './command-syntax.ts';
import { optionsOf } from './parsed-arguments.ts';

function usageOf({ name, arguments: wanted }: CommandSyntax): string {
  const words = wanted.map(argument => {
    const word = argument.many ? `${argument.name}…` : argument.name;
    return argument.optional ? `[${word}]` : word;
  });
  return ['sandglass', name, ...words].join(' ');
}

function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

/** Returns the help of all commands, a line each. */
export function overview(commands: readonly CommandSyntax[]): string {
  const rows = commands.map(
    command => [usageOf(command).slice('sandglass '.length), command.summary] as const,
  );
  return [
    'Sandglass, the studio for data that expires.',
    '',
    'sandglass COMMAND [options]',
    '',
    ...aligned(rows),
    '',
    '`sandglass help COMMAND` shows the options of a command. All commands that use a store take --json, --store FILE,\n--url URL and --token TOKEN. docs/command-line.md lists the exit codes.',
    '',
  ].join('\n');
}

/** Returns the help of one command. */
export function helpOf(command: CommandSyntax): string {
  const options = Object.entries(command.forwardsArguments ? command.options : optionsOf(command)).map(
    ([name, { value, help }]) => [value === undefined ? `--${name}` : `--${name} ${value}`, help] as const,
  );
  return [
    usageOf(command),
    '',
    command.summary,
    ...(options.length === 0 ? [] : ['', ...aligned(options)]),
    ...(command.notes === undefined ? [] : ['', ...command.notes]),
    '',
  ].join('\n');
}

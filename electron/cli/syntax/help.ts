import { COMMANDS } from '../commands.ts';
import type { Command } from '../session/command.ts';
import { optionsOf } from './parsed-arguments.ts';

function usageOf({ name, arguments: wanted }: Command): string {
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

/** All commands, a line each. */
export function overview(): string {
  const rows = COMMANDS.map(
    command => [usageOf(command).slice('sandglass '.length), command.summary] as const,
  );
  return [
    'Sandglass, the studio for data that expires.',
    '',
    'sandglass COMMAND [options]',
    '',
    ...aligned(rows),
    '',
    '`sandglass help COMMAND` tells its options. Every command takes --json, --store FILE, and --url URL --token T.',
    'docs/command-line.md tells the exit codes.',
    '',
  ].join('\n');
}

export function helpOf(command: Command): string {
  const options = Object.entries(command.passesOn ? command.options : optionsOf(command)).map(
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

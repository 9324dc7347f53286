import type { IconName } from '../../components/Icon.tsx';

/** Something the palette can do. */
export interface Command {
  id: string;
  group: 'Actions' | 'Go to';
  label: string;
  /** Which thing it is about; searched too. */
  detail: string;
  icon: IconName;
  shortcut?: string;
  /** It needs the engine, which is away. */
  disabled?: boolean;
  run: () => void;
}

/**
 * Those whose words hold every typed word, actions first, and of them those that begin with it. With nothing typed
 * places come first: Enter alone then goes somewhere, and changes nothing.
 */
export function matchCommands(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (command: Command) => `${command.label} ${command.detail}`.toLowerCase();
  const found = commands.filter(command => words.every(word => text(command).includes(word)));
  const first = words[0];
  const places = (command: Command) => (command.group === 'Go to' ? 0 : 1);
  if (first === undefined) return found.sort((a, b) => places(a) - places(b));
  const leads = (command: Command) => (command.label.toLowerCase().startsWith(first) ? 0 : 1);
  const byGroup = (command: Command) => (command.group === 'Actions' ? 0 : 1);
  return found.sort((a, b) => byGroup(a) - byGroup(b) || leads(a) - leads(b));
}

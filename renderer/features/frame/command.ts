import type { IconName } from '../../components/controls/Icon.tsx';

/** Something the palette can do. */
export interface Command {
  id: string;
  /** `This page`: what can be done on what is shown. */
  group: 'This page' | 'Actions' | 'Go to';
  label: string;
  /** Which thing it is about; searched too. */
  detail: string;
  icon: IconName;
  shortcut?: string;
  /** It needs the engine, which is away. */
  disabled?: boolean;
  /** Of the collection whose page is shown; false: of another, and behind. Absent: of the whole store. */
  near?: boolean;
  run: () => void;
}

const GROUPS: readonly Command['group'][] = ['This page', 'Actions', 'Go to'];
/** With nothing typed places come first: Enter alone then goes somewhere, and changes nothing. */
const GROUPS_UNTYPED: readonly Command['group'][] = ['Go to', 'This page', 'Actions'];

const wordsOf = (typed: string) => typed.toLowerCase().split(/\s+/).filter(Boolean);

/**
 * Those whose words hold every typed word: by group, in each first those that begin with the first word, then those of
 * what is shown.
 */
export function matchCommands(commands: readonly Command[], typed: string): Command[] {
  const words = wordsOf(typed);
  const [first] = words;
  const found = commands.filter(command => {
    const text = `${command.label} ${command.detail}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
  const groups = first === undefined ? GROUPS_UNTYPED : GROUPS;
  const rank = ({ group, label, near }: Command) =>
    groups.indexOf(group) * 4 +
    (first !== undefined && !label.toLowerCase().startsWith(first) ? 2 : 0) +
    // With nothing typed the pages of the whole store stay in front.
    (near === false && (first !== undefined || group !== 'Go to') ? 1 : 0);
  return found.toSorted((a, b) => rank(a) - rank(b));
}

/** With nothing typed the places leave room for the actions, and those of other collections come when asked for. */
const PLACES_UNTYPED = 6;
const ACTIONS_UNTYPED = 16;
const MOST = 60;

/** What is listed of what matches. */
export function listed(found: readonly Command[], typed: string): Command[] {
  if (typed.trim() !== '') return found.slice(0, MOST);
  const of = (group: Command['group']) => found.filter(command => command.group === group);
  return [
    ...of('Go to').slice(0, PLACES_UNTYPED),
    ...of('This page'),
    ...of('Actions').slice(0, ACTIONS_UNTYPED),
  ];
}

export interface Stretch {
  text: string;
  /** It was typed. */
  hit: boolean;
}

/** A text in stretches, those that were typed told apart. */
export function stretchesOf(text: string, typed: string): Stretch[] {
  const lower = text.toLowerCase();
  const hits = new Array<boolean>(text.length).fill(false);
  // A letter that grows in lower case shifts all behind it: then nothing is marked rather than the wrong part.
  if (lower.length === text.length) {
    for (const word of wordsOf(typed)) {
      for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length))
        hits.fill(true, at, at + word.length);
    }
  }
  const stretches: Stretch[] = [];
  [...hits].forEach((hit, i) => {
    const last = stretches.at(-1);
    if (last?.hit === hit) last.text += text.charAt(i);
    else stretches.push({ text: text.charAt(i), hit });
  });
  return stretches;
}

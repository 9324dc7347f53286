import type { IconName } from '../../../components/controls/Icon.tsx';

/** A command of the palette. */
export interface Command {
  id: string;
  /** `This page`: commands of the current page. */
  group: 'This page' | 'Actions' | 'Go to';
  label: string;
  /** Name of the object that it acts on, also searched. */
  detail: string;
  icon: IconName;
  shortcut?: string;
  /** Needs the engine, which is not connected. */
  disabled?: boolean;
  /** True: about the current collection. False: about another one, listed last. Absent: about the whole store. */
  near?: boolean;
  run: () => void;
}

const GROUPS: readonly Command['group'][] = ['This page', 'Actions', 'Go to'];
/** Order of groups. Without a search text pages come first, so that Enter alone changes no data. */
const GROUPS_UNTYPED: readonly Command['group'][] = ['Go to', 'This page', 'Actions'];

const wordsOf = (typed: string) => typed.toLowerCase().split(/\s+/).filter(Boolean);

/**
 * Returns the commands that contain every search word: by group, in each first those that begin with the first word,
 * then those of the current collection.
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
    // Without a search text, pages of the whole store come first.
    (near === false && (first !== undefined || group !== 'Go to') ? 1 : 0);
  return found.toSorted((a, b) => rank(a) - rank(b));
}

/** Without a search text, pages are limited and other collections are left out. */
const PLACES_UNTYPED = 6;
const ACTIONS_UNTYPED = 16;
const MOST = 60;

/** Returns the matching commands to list. */
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
  /** Whether it matches a search word. */
  hit: boolean;
}

/** Splits a text into matching and other parts. */
export function stretchesOf(text: string, typed: string): Stretch[] {
  const lower = text.toLowerCase();
  const hits = new Array<boolean>(text.length).fill(false);
  // A letter that gets longer in lower case shifts all offsets: nothing is marked then.
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

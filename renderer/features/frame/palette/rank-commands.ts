import type { Command } from './command.ts';

/** The first group without a search text: Enter alone opens a page and changes no data. */
const GROUPS: readonly Command['group'][] = ['Go to', 'This page', 'Actions'];
/** Order of groups whose best commands match equally well. */
const GROUPS_TYPED: readonly Command['group'][] = ['This page', 'Actions', 'Go to'];

/** Quality of a match, best first. */
const EXACT_PLACE = 0;
const PLACE_PREFIX = 1;
const LABEL_PREFIX = 2;
const WORD_PREFIX = 3;
const INSIDE = 4;
/** Ranked after every other match, so that Enter on a short text does not destroy data. */
const DESTROYS = 5;

/** Most pages and actions listed without a search text, and most commands of a group listed with one. */
const PLACES_UNTYPED = 6;
const ACTIONS_UNTYPED = 16;
const MOST_OF_GROUP = 24;

export const wordsOf = (typed: string) => typed.toLowerCase().split(/\s+/).filter(Boolean);

/**
 * Returns the commands that contain every search word, by group. The group with the best match is first. Within a
 * group, better matches are first; equal matches are ordered by the last time they were chosen, then those of the
 * current collection come first. `recent`: ids of chosen commands, the latest first.
 */
export function rankCommands(
  commands: readonly Command[],
  typed: string,
  recent: readonly string[] = [],
): Command[] {
  const words = wordsOf(typed);
  const isTyped = words.length > 0;
  const found = commands.flatMap((command, position) => {
    const match = isTyped ? matchOf(command, words) : INSIDE;
    if (match === null) return [];
    // Without a search text, a recent action must not be the one that Enter runs.
    const recency = isTyped || command.group === 'Go to' ? recent.indexOf(command.id) : -1;
    return {
      command,
      position,
      match,
      recency: recency < 0 ? recent.length : recency,
      // Without a search text, pages of the whole store come first.
      distance: Number(command.near === false && (isTyped || command.group !== 'Go to')),
    };
  });
  const best = new Map<Command['group'], number>();
  for (const { command, match } of found)
    best.set(command.group, Math.min(match, best.get(command.group) ?? DESTROYS));
  const order = isTyped ? GROUPS_TYPED : GROUPS;
  const placeOf = ({ group }: Command) => (best.get(group) ?? DESTROYS) * order.length + order.indexOf(group);
  return found
    .toSorted(
      (a, b) =>
        placeOf(a.command) - placeOf(b.command) ||
        a.match - b.match ||
        a.recency - b.recency ||
        a.distance - b.distance ||
        a.position - b.position,
    )
    .map(({ command }) => command);
}

/** Returns how well a command matches the words; null: a word is missing. */
function matchOf(
  { label, detail, group, destroys = false }: Command,
  words: readonly string[],
): number | null {
  const name = label.toLowerCase();
  const text = `${name} ${detail.toLowerCase()}`;
  if (!words.every(word => text.includes(word))) return null;
  if (destroys) return DESTROYS;
  const typed = words.join(' ');
  if (group === 'Go to' && name === typed) return EXACT_PLACE;
  if (group === 'Go to' && name.startsWith(typed)) return PLACE_PREFIX;
  if (name.startsWith(words[0] ?? '')) return LABEL_PREFIX;
  return words.every(word => beginsWord(text, word)) ? WORD_PREFIX : INSIDE;
}

const beginsWord = (text: string, word: string) => text.startsWith(word) || text.includes(` ${word}`);

/** Returns the ranked commands to list. */
export function listed(found: readonly Command[], typed: string): Command[] {
  if (typed.trim() === '') {
    const of = (group: Command['group']) => found.filter(command => command.group === group);
    return [
      ...of('Go to').slice(0, PLACES_UNTYPED),
      ...of('This page'),
      ...of('Actions').slice(0, ACTIONS_UNTYPED),
    ];
  }
  const shown = new Map<Command['group'], number>();
  return found.filter(({ group }) => {
    const count = (shown.get(group) ?? 0) + 1;
    shown.set(group, count);
    return count <= MOST_OF_GROUP;
  });
}

import {
  CONNECTION_COLOURS,
  type ConnectionRecord,
  type ConnectionTest,
} from '../../../shared/contract/connections.ts';
import { formatBytes, formatCount } from '../../../shared/model/format.ts';
import type { IconName } from '../../components/controls/Icon.tsx';

/** By number, as the theme has them. */
export const COLOUR_NAMES = ['Blue', 'Teal', 'Violet', 'Olive', 'Petrol', 'Grey'] as const;

export const STATE_LOOK: Record<ConnectionRecord['state']['is'], { word: string; icon: IconName }> = {
  opening: { word: 'Opening', icon: 'live' },
  open: { word: 'Open', icon: 'check' },
  closed: { word: 'Closed', icon: 'off' },
  failed: { word: 'Failed', icon: 'err' },
};

const amount = (count: number, one: string) => `${formatCount(count)} ${count === 1 ? one : `${one}s`}`;

export interface TestWords {
  tone: 'good' | 'info' | 'bad';
  text: string;
}

/** What a test found, and what adding it would do. */
export function testWords(test: ConnectionTest): TestWords {
  if (test.is === 'refused') return { tone: 'bad', text: test.message };
  if (test.is === 'new') {
    return { tone: 'info', text: 'There is no such file yet. Adding it makes a new, empty store there.' };
  }
  const { collections, documents, bytes, heldBy } = test;
  const found = `${amount(collections, 'collection')}, ${amount(documents, 'document')}, ${formatBytes(bytes)}.`;
  return heldBy === null
    ? { tone: 'good', text: `A store: ${found}` }
    : {
        tone: 'info',
        text: `A store: ${found} It is open in another Sandglass (${heldBy}), and opens here once that one lets it go.`,
      };
}

/** One that no other is marked with, while there is one. */
export function freeColour(others: readonly Pick<ConnectionRecord, 'colour'>[]): number {
  const taken = new Set(others.map(({ colour }) => colour));
  const all = Array.from({ length: CONNECTION_COLOURS }, (_, index) => index + 1);
  return all.find(colour => !taken.has(colour)) ?? (others.length % CONNECTION_COLOURS) + 1;
}

/** The name of a file without its folder and its ending, as a name for its connection. */
export function suggestedName(file: string): string {
  const base = file.trim().split(/[/\\]/).at(-1) ?? '';
  return base.replace(/\.sandglass$/i, '');
}

export interface Typed {
  file: string;
  name: string;
}
export type FieldProblems = Partial<Record<keyof Typed, string>>;

/** The same rule as the engine's: a file name alone, of a store. */
const FILE_NAME = /^[\p{L}\p{N}][^\p{C}/\\:*?"<>|]{0,120}\.sandglass$/u;
const isFullPath = (file: string) => /^(\/|~\/|[a-z]:[\\/]|\\\\)/i.test(file);
const LONGEST_NAME = 120;

/** What is wrong before anybody is asked, each beside its field. */
export function typedProblems(
  { file, name }: Typed,
  others: readonly Pick<ConnectionRecord, 'name'>[],
  namesPaths: boolean,
): FieldProblems {
  return { ...fileProblem(file.trim(), namesPaths), ...nameProblem(name.trim(), others) };
}

function fileProblem(file: string, namesPaths: boolean): Pick<FieldProblems, 'file'> {
  if (namesPaths) {
    if (file === '') return { file: 'Type the path of the store’s file.' };
    return isFullPath(file) ? {} : { file: 'Type the whole path, from / or ~/ on.' };
  }
  if (file === '') return { file: 'Choose a store, or type the file name of a new one.' };
  return FILE_NAME.test(file) ? {} : { file: 'Type a file name that ends in .sandglass, without a folder.' };
}

export function nameProblem(
  name: string,
  others: readonly Pick<ConnectionRecord, 'name'>[],
): Pick<FieldProblems, 'name'> {
  if (name === '') return { name: 'Give it a name.' };
  if (name.length > LONGEST_NAME) return { name: `A name has ${LONGEST_NAME} characters at most.` };
  if (others.some(other => other.name === name)) return { name: 'Another connection has this name.' };
  return {};
}

/** Which field a refusal of the engine belongs to; the file's, unless it names another. */
export function refusedField(data: Readonly<Record<string, unknown>>): keyof Typed {
  return data.field === 'name' || 'name' in data ? 'name' : 'file';
}

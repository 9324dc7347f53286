import { t } from '@lingui/core/macro';
import { type IdSentences, idProblem, type NameSentences, nameProblem } from '../../shared/model/names.ts';

const SENTENCES: NameSentences = {
  empty: t`A name has at least one character.`,
  tooLong: longest => t`A name has at most ${longest} characters.`,
  incomplete: t`A name has an incomplete character (unpaired surrogate).`,
  reserved: name => t`“${name}” has a meaning of its own in JavaScript.`,
  notInAddress: name => t`“${name}” cannot be part of an address.`,
  badCharacters: t`A name cannot contain “/” or control characters.`,
};

/**
 * Returns the reason why `name` is not a collection or index name, in the language of the window; null if it is valid
 * [C1].
 */
export const formatNameProblem = (name: string): string | null => nameProblem(name, SENTENCES);

const ID_SENTENCES: IdSentences = {
  notAString: type => t`_id is a string; this one is ${type}.`,
  empty: t`_id is empty; omit it to have one generated.`,
  tooLong: longestBytes => t`_id has at most ${longestBytes} bytes.`,
  incomplete: t`_id has an incomplete character (unpaired surrogate).`,
};

/** Returns the reason why `id` is not a document `_id`, in the language of the window; null if it is valid [C1]. */
export const formatIdProblem = (id: unknown): string | null => idProblem(id, ID_SENTENCES);

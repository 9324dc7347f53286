import {
  isJsonObject,
  type JsonObject,
  parseJson,
  stringifyJson,
} from '../../../../shared/model/json/json.ts';
import { nameProblem } from '../../../../shared/model/names.ts';
import type { OnExpire } from '../../../../shared/model/ttl-index.ts';
import type { DraftContext, IndexDraft, Read } from './index-draft.ts';

type MoveContext = Pick<DraftContext, 'collection' | 'collections'>;

/** What happens at the deadline, as it is filled in [A1 to A4]. */
export function readAction(draft: IndexDraft, context: MoveContext): Read<OnExpire> {
  switch (draft.action) {
    case 'delete':
      return { value: { action: 'delete' } };
    case 'patch': {
      const patch = readPatch(draft.patch);
      return typeof patch === 'string' ? { problems: { patch } } : { value: { action: 'patch', patch } };
    }
    case 'replace':
      return draft.replacement.trim() === ''
        ? { problems: { replacement: 'Type an expression that gives the new document, or null.' } }
        : { value: { action: 'replace', expression: draft.replacement } };
    case 'move': {
      const problem = targetProblem(draft.moveTo, context);
      return problem === null
        ? { value: { action: 'move', to: draft.moveTo } }
        : { problems: { moveTo: problem } };
    }
  }
}

/** The patch, or what is wrong with its text. */
function readPatch(text: string): JsonObject | string {
  if (text.trim() === '') return 'Type a JSON object: what it holds is set, and null removes a field.';
  try {
    const patch = parseJson(text);
    if (!isJsonObject(patch)) return 'A patch is a JSON object, in { }.';
    return Object.keys(patch).length === 0 ? 'An empty patch changes nothing.' : patch;
  } catch (error) {
    return `This is no JSON: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

function targetProblem(to: string, { collection, collections }: MoveContext): string | null {
  if (to === '') return 'Name the collection they move to.';
  if (to === collection) return `They are in ${collection} already. Name another collection.`;
  return nameProblem(to) ?? (collections.has(to) ? null : `There is no collection named ${to} yet.`);
}

/** An action as it would be typed. */
export function actionTexts(
  onExpire: OnExpire,
): Pick<IndexDraft, 'action' | 'patch' | 'replacement' | 'moveTo'> {
  return {
    action: onExpire.action,
    patch: onExpire.action === 'patch' ? stringifyJson(onExpire.patch, 2) : '',
    replacement: onExpire.action === 'replace' ? onExpire.expression : '',
    moveTo: onExpire.action === 'move' ? onExpire.to : '',
  };
}

import { t } from '@lingui/core/macro';
import {
  isJsonObject,
  type JsonObject,
  parseJson,
  stringifyJson,
} from '../../../../shared/model/json/json.ts';
import type { OnExpire } from '../../../../shared/model/ttl-index.ts';
import { formatNameProblem } from '../../../i18n/name-problem.ts';
import type { DraftContext, IndexDraft, Read } from './index-draft.ts';

type MoveContext = Pick<DraftContext, 'collection' | 'collections'>;

/** The action at the deadline, as typed [A1 to A4]. */
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
        ? { problems: { replacement: t`Enter an expression that returns the new document, or null.` } }
        : { value: { action: 'replace', expression: draft.replacement } };
    case 'move': {
      const problem = targetProblem(draft.moveTo, context);
      return problem === null
        ? { value: { action: 'move', to: draft.moveTo } }
        : { problems: { moveTo: problem } };
    }
  }
}

/** Returns the patch, or the problem in its text. */
function readPatch(text: string): JsonObject | string {
  if (text.trim() === '') return t`Enter a JSON object: its fields are set, and null removes a field.`;
  try {
    const patch = parseJson(text);
    if (!isJsonObject(patch)) return t`A patch is a JSON object, in ${'{ }'}.`;
    return Object.keys(patch).length === 0 ? t`An empty patch changes nothing.` : patch;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return t`Not valid JSON: ${message}.`;
  }
}

function targetProblem(to: string, { collection, collections }: MoveContext): string | null {
  if (to === '') return t`Enter the target collection.`;
  if (to === collection) return t`Documents are already in ${collection}. Enter another collection.`;
  return formatNameProblem(to) ?? (collections.has(to) ? null : t`There is no collection named ${to} yet.`);
}

/** Returns an action as typed text. */
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

import { useMemo, useState } from 'react';
import type { TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import type { TtlSource } from '../../../shared/model/ttl-index.ts';
import { type Problem, problemOf, useIndexChoices } from '../../api.ts';
import type { DraftProblems, IndexDraft } from './draft/index-draft.ts';
import { useShownName } from './draft/index-name.ts';
import { isComplete, readDraft } from './draft/read-draft.ts';
import { controlOf, placeOf, refusalsOf } from './draft/refusals.ts';
import { useCollectionNames } from './draft/use-collection-names.ts';
import { useStoreSettings } from './draft/use-store-settings.ts';
import { useDraft } from './draft-store.ts';
import type { Candidates } from './form/field-candidates.ts';
import { hasNumbers, hasText } from './preview/preview-figures.ts';
import { usePreview } from './preview/use-preview.ts';
import { confirmationOf } from './review/confirmation.ts';
import { proposedRate, type RollOut, rolledOut } from './review/roll-out.ts';
import { changedPreview, useSaveIndex } from './review/use-save-index.ts';
import type { Step } from './Steps.tsx';

export interface EditorInput {
  /** Key of the unsaved input. */
  form: string;
  collection: string;
  before: TtlIndex | null;
  first: IndexDraft;
  /** Input prefilled from the URL; replaces unsaved input. */
  prefilled: IndexDraft | null;
  candidates: Candidates | null;
  indexes: readonly TtlIndex[];
  /** Called when the index has been built or changed. */
  onLand: (index: TtlIndex) => void;
}

export type IndexEditor = ReturnType<typeof useIndexEditor>;

const AS_DEFINED: RollOut = { how: 'as defined', rate: '' };

/** State of the three steps: the input, its exact effect, and the step. */
export function useIndexEditor(input: EditorInput) {
  const { form, collection, before, candidates, indexes, onLand } = input;
  // The initial input does not change with the data that it was suggested from.
  const [firstDraft] = useState(input.prefilled ?? input.first);
  const [base] = useState(before === null ? null : input.first);
  const [kept, keep] = useDraft(form, base);
  const draft = kept ?? firstDraft;
  const [step, setStep] = useState<Step>(0);
  const [job, setJob] = useState<string | null>(null);
  const [typedName, setTypedName] = useState('');
  const [rollOut, setRollOut] = useState(AS_DEFINED);
  const [built, setBuilt] = useState<TtlIndex | null>(null);
  const settings = useStoreSettings();
  const collections = useCollectionNames();
  const choices = useIndexChoices();

  const editing = before?.name ?? null;
  const read = useMemo(
    () =>
      readDraft(draft, {
        collection,
        collections,
        taken: new Set(indexes.map(({ name }) => name)),
        editing,
        choices,
      }),
    [draft, collection, collections, indexes, editing, choices],
  );
  const name = useShownName(read);
  const effect = usePreview({ collection, name: editing, source: read.source });
  const { preview } = effect;
  const save = useSaveIndex(saved => {
    setBuilt(saved);
    keep(null);
    if (saved.job === null) onLand(saved);
    else {
      setJob(saved.job);
      setStep(2);
    }
  });

  const changed = changedPreview(save.error);
  const problem = save.error === null ? null : problemOf(save.error);
  const sent = save.variables?.definition;
  const refusals = problem === null || sent === undefined ? null : refusalsOf(problem, sent);
  // The position of a mistake in an expression is shown as soon as the count reports it.
  const uncounted = effect.error === null || read.source === null ? null : problemOf(effect.error);
  const mistake = uncounted?.code === 'INVALID_TTL_INDEX' ? uncounted : null;
  const shownProblem = problem ?? mistake;
  const candidate = candidates?.fields.find(found => found.field === draft.field.trim());

  const requested =
    preview === null || read.definition === null
      ? 'none'
      : confirmationOf(read.definition, preview, before, settings);
  const hasRollOut = requested !== 'none';
  // If no roll-out is to be chosen, one chosen earlier has no effect.
  const definition =
    read.definition === null || !hasRollOut ? read.definition : rolledOut(read.definition, rollOut);
  const confirmation = definition?.schedule.mode === 'observe' ? 'none' : requested;
  const lacksName = confirmation === 'name' && typedName !== collection;
  const canSend = preview !== null && effect.isCurrent && definition !== null && !lacksName;
  const canReview = isComplete(read) && preview !== null && mistake === null;

  function review(): void {
    if (!canReview || preview === null) return;
    setTypedName('');
    setRollOut({ how: 'as defined', rate: String(proposedRate(preview.dueAtOnce)) });
    effect.recount();
    setStep(1);
  }
  function send(): void {
    if (!canSend || preview === null || definition === null) return;
    save.mutate(
      { collection, name: read.name, before, definition, dueAtOnce: preview.dueAtOnce, seenAt: preview.at },
      {
        onError: error => {
          setTypedName('');
          if (changedPreview(error) !== null) effect.recount();
          // Goes to the control that the error is about.
          if (refusalsOf(problemOf(error), definition) !== null) setStep(0);
        },
      },
    );
  }

  return {
    draft,
    read,
    name,
    editing,
    effect,
    settings,
    step,
    job,
    built,
    rollOut,
    setRollOut,
    typedName,
    setTypedName,
    /** The definition as it is sent; null while any input has a problem. */
    definition,
    hasRollOut,
    confirmation,
    asksUnit: draft.kind === 'field' && hasNumbers(candidate, effect.isCurrent ? preview : null),
    asksFormat: draft.kind === 'field' && (draft.formats.length > 0 || hasText(candidate, preview)),
    isMistaken: mistake !== null,
    refusals: refusals ?? mistakeIn(mistake, read.source),
    place: shownProblem === null ? null : placeOf(shownProblem),
    changedFrom: changed === null ? null : (save.variables?.dueAtOnce ?? null),
    // An outdated count, and an error of a control, are shown at their places.
    problem: changed !== null || refusals !== null ? null : problem,
    isSending: save.isPending,
    canReview,
    canSend,
    lacksName,
    change(part: Partial<IndexDraft>): void {
      keep({ ...draft, ...part });
      save.reset();
    },
    review,
    send,
    back(): void {
      save.reset();
      setStep(0);
    },
    /** Restores the input after a cancelled build. */
    putBack(): void {
      keep(draft);
      setStep(0);
    },
    forget: () => keep(null),
  };
}

/** The error of a count, by its control. */
function mistakeIn(mistake: Problem | null, source: TtlSource | null): DraftProblems {
  if (mistake === null || source === null) return {};
  return { [controlOf(mistake.data, { source, onExpire: { action: 'delete' } })]: mistake.message };
}

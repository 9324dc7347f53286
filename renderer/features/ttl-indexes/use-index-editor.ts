import { useMemo, useState } from 'react';
import type { FieldCandidate, TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import { problemOf } from '../../api.ts';
import type { IndexDraft } from './draft/index-draft.ts';
import { useShownName } from './draft/index-name.ts';
import { isComplete, readDraft } from './draft/read-draft.ts';
import { placeOf, refusalsOf } from './draft/refusals.ts';
import { useCollectionNames } from './draft/use-collection-names.ts';
import { useStoreSettings } from './draft/use-store-settings.ts';
import { useDraft } from './draft-store.ts';
import { hasNumbers } from './preview/preview-figures.ts';
import { usePreview } from './preview/use-preview.ts';
import { asksHow, isOverBreaker, proposedRate, type RollOut, rolledOut } from './review/roll-out.ts';
import { changedPreview, useSaveIndex } from './review/use-save-index.ts';
import type { Step } from './Steps.tsx';

export interface EditorInput {
  /** Names what is typed here, so that it is kept. */
  form: string;
  collection: string;
  before: TtlIndex | null;
  first: IndexDraft;
  /** How the address fills the form in: it goes before what was typed earlier. */
  asked: IndexDraft | null;
  candidates: { sampled: number; fields: readonly FieldCandidate[] } | null;
  indexes: readonly TtlIndex[];
  /** It is built, or changed: there is no more to wait for. */
  onLand: (index: TtlIndex) => void;
}

export type IndexEditor = ReturnType<typeof useIndexEditor>;

const AS_DEFINED: RollOut = { how: 'as defined', rate: '' };

/** The form, its exact effect, and the way from one step to the next. */
export function useIndexEditor(input: EditorInput) {
  const { form, collection, before, candidates, indexes, onLand } = input;
  // What the form begins with stays, though the data it was found in goes on changing.
  const [firstDraft] = useState(input.asked ?? input.first);
  const [kept, keep] = useDraft(form);
  const draft = kept ?? firstDraft;
  const [step, setStep] = useState<Step>(0);
  const [job, setJob] = useState<string | null>(null);
  const [typedName, setTypedName] = useState('');
  const [rollOut, setRollOut] = useState(AS_DEFINED);
  const [built, setBuilt] = useState<TtlIndex | null>(null);
  const settings = useStoreSettings();
  const collections = useCollectionNames();

  const editing = before?.name ?? null;
  const read = useMemo(
    () =>
      readDraft(draft, { collection, collections, taken: new Set(indexes.map(({ name }) => name)), editing }),
    [draft, collection, collections, indexes, editing],
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
  // An expression with a mistake is told where it is typed, as soon as it was to be counted.
  const uncounted = effect.error === null || read.source === null ? null : problemOf(effect.error);
  const mistake = uncounted?.code === 'INVALID_TTL_INDEX' ? uncounted : null;
  const told = problem ?? mistake;
  const mistaken = read.source?.kind === 'expression' ? 'expression' : 'field';
  const candidate = candidates?.fields.find(found => found.field === draft.field.trim());

  const isAsked = preview !== null && read.definition !== null && asksHow(read.definition, preview, settings);
  // What is no longer asked decides nothing any more.
  const definition =
    read.definition === null || !isAsked ? read.definition : rolledOut(read.definition, rollOut);
  const needsName = isAsked && definition?.schedule.mode !== 'observe';
  const lacksName = needsName && typedName !== collection;
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
          // What is refused belongs to a control of the form: lead there.
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
    /** As it would be sent; null while anything about it is wrong. */
    definition,
    isAsked,
    isOverBreaker: preview !== null && isOverBreaker(preview, settings),
    asksUnit: draft.kind === 'field' && hasNumbers(candidate, effect.isCurrent ? preview : null),
    isMistaken: mistake !== null,
    refusals: refusals ?? (mistake === null ? {} : { [mistaken]: mistake.message }),
    place: told === null ? null : placeOf(told),
    changedFrom: changed === null ? null : (save.variables?.dueAtOnce ?? null),
    // A count that moved and a refused control say so where they are.
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
    /** The build was cancelled: what was typed is there again. */
    putBack(): void {
      keep(draft);
      setStep(0);
    },
    forget: () => keep(null),
  };
}

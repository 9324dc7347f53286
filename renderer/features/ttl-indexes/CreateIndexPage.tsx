import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Preview, TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import { formatBytes, formatCount } from '../../../shared/model/format.ts';
import { client, engineNow, problemOf, useLive } from '../../api.ts';
import { goTo, toCollection, usePlace } from '../../components/location.ts';
import { showToast } from '../../components/toast-store.ts';
import { fateInWords } from './actionWords.ts';
import { askedDraft } from './askedDraft.ts';
import { BuildStep } from './BuildStep.tsx';
import { useCollectionNames } from './collectionNames.ts';
import { useDraft } from './draftStore.ts';
import { EffectPanel } from './EffectPanel.tsx';
import { FormFoot } from './FormFoot.tsx';
import { IndexForm } from './IndexForm.tsx';
import { useIndexes } from './indexCache.ts';
import { draftFrom, draftOf, type IndexDraft, isComplete, readDraft } from './indexDraft.ts';
import { useShownName } from './indexName.ts';
import { hasNumbers, isLarge } from './previewWords.ts';
import { ReviewStep } from './ReviewStep.tsx';
import { placeOf, refusalsOf } from './refusals.ts';
import { type Step, Steps } from './Steps.tsx';
import { UnfoundIndex } from './UnfoundIndex.tsx';
import { usePreview } from './usePreview.ts';
import { changedPreview, useSaveIndex } from './useSaveIndex.ts';
import './index-form.css';

interface CreateIndexPageProps {
  collection: string;
  /** The index to change; left out, one is created. */
  index?: string;
  /** The chart of the next 30 days. */
  renderForecast?: (preview: Preview) => ReactNode;
}

/** Creating an index, or changing one: define it beside its exact effect, review, build. */
export function CreateIndexPage({ collection, index, renderForecast }: CreateIndexPageProps) {
  const indexes = useIndexes(collection);
  const before = index === undefined ? null : indexes.data?.find(({ name }) => name === index);
  const candidates = useQuery({
    queryKey: ['candidates', collection],
    queryFn: () => client.ttlIndexes.candidates({ collection }),
    staleTime: 0,
  });
  const { query } = usePlace();
  // Led here with other wishes it is another form: what was typed into this one stays with it.
  const form = `${collection}/${index ?? ''}?${query.toString()}`;
  if (before === undefined)
    return <UnfoundIndex collection={collection} index={index ?? ''} isLoading={indexes.isPending} />;
  const isReady = before !== null || !candidates.isPending;
  if (!isReady || indexes.isPending) return <div className="index-form" aria-busy="true" />;
  const first = before === null ? draftFrom(candidates.data?.fields ?? [], engineNow()) : draftOf(before);
  return (
    <Editor
      key={form}
      form={form}
      collection={collection}
      before={before}
      first={first}
      asked={before === null ? askedDraft(first, query) : null}
      candidates={candidates.data ?? null}
      indexes={indexes.data ?? []}
      renderForecast={renderForecast}
    />
  );
}

const SOURCE_WORDS = { lastModified: 'the last write', expression: 'its expression' } as const;

interface EditorProps {
  /** Names what is typed here, so that it is kept. */
  form: string;
  collection: string;
  before: TtlIndex | null;
  first: IndexDraft;
  /** How the address fills the form in: it goes before what was typed earlier. */
  asked: IndexDraft | null;
  candidates: Awaited<ReturnType<typeof client.ttlIndexes.candidates>> | null;
  indexes: readonly TtlIndex[];
  renderForecast: ((preview: Preview) => ReactNode) | undefined;
}

function Editor({
  form,
  collection,
  before,
  first,
  asked,
  candidates,
  indexes,
  renderForecast,
}: EditorProps) {
  const isNew = before === null;
  // What the form begins with stays, though the data it was found in goes on changing.
  const [firstDraft] = useState(asked ?? first);
  const [kept, keep] = useDraft(form);
  const draft = kept ?? firstDraft;
  const summary = useLive(state => state.collections?.get(collection));
  const [step, setStep] = useState<Step>(0);
  const [job, setJob] = useState<string | null>(null);
  const [typedName, setTypedName] = useState('');
  const [built, setBuilt] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);

  const editing = before?.name ?? null;
  const collections = useCollectionNames();
  const read = useMemo(
    () =>
      readDraft(draft, { collection, collections, taken: new Set(indexes.map(({ name }) => name)), editing }),
    [draft, collection, collections, indexes, editing],
  );
  const name = useShownName(read);
  const others = indexes.filter(other => other.name !== editing);
  const effect = usePreview({ collection, name: editing, source: read.source });
  const save = useSaveIndex(saved => {
    setBuilt(saved.name);
    keep(null);
    if (saved.job === null) land(saved.name);
    else {
      setJob(saved.job);
      setStep(2);
    }
  });
  const changed = changedPreview(save.error);
  const problem = save.error === null ? null : problemOf(save.error);
  const sent = save.variables?.definition;
  const refusals = problem === null || sent === undefined ? null : refusalsOf(problem, sent);
  const { preview } = effect;
  // An expression with a mistake is told where it is typed, as soon as it was to be counted.
  const uncounted = effect.error === null || read.source === null ? null : problemOf(effect.error);
  const mistake = uncounted?.code === 'INVALID_TTL_INDEX' ? uncounted : null;
  const told = problem ?? mistake;
  const mistaken = read.source?.kind === 'expression' ? 'expression' : 'field';
  const candidate = candidates?.fields.find(found => found.field === draft.field.trim());
  const asksUnit = draft.kind === 'field' && hasNumbers(candidate, effect.isCurrent ? preview : null);
  const isConfirmed = preview !== null && effect.isCurrent && (!isLarge(preview) || typedName === collection);

  useEffect(() => {
    if (step > 0) heading.current?.focus();
  }, [step]);
  function change(part: Partial<IndexDraft>): void {
    keep({ ...draft, ...part });
    save.reset();
  }
  function land(name: string): void {
    showToast({
      kind: 'good',
      title: isNew ? `${name} is built` : `${name} is changed`,
      detail: `${collection} follows it from now on.`,
    });
    goTo(toCollection(collection, 'timeline'));
  }
  function review(): void {
    if (!isComplete(read) || preview === null || mistake !== null) return;
    setTypedName('');
    effect.recount();
    setStep(1);
  }
  function send(): void {
    const { definition } = read;
    if (definition === null || preview === null || !isConfirmed) return;
    save.mutate(
      {
        collection,
        name: read.name,
        isNew,
        definition,
        dueAtOnce: preview.dueAtOnce,
        seenAt: preview.at,
      },
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

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+Enter goes on from wherever the focus is
    <div
      className="index-form"
      onKeyDown={event => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        if (step === 0) review();
        else if (step === 1) send();
      }}
    >
      <div className="titlebar">
        <h2 className="t-title" ref={heading} tabIndex={-1}>
          {titleOf(step, isNew, built || read.name, collection)}
        </h2>
        {step === 0 && summary !== undefined && (
          <span className="t-3 ell">
            {formatCount(summary.documents)} documents, {formatBytes(summary.bytes)}
            {summary.withDeadline === 0 && ', none has a deadline'}
          </span>
        )}
        <span className="spacer" />
        <Steps step={step} />
      </div>
      {step === 0 && (
        <div className="split">
          <div className="form">
            <IndexForm
              collection={collection}
              draft={draft}
              read={read}
              onChange={change}
              candidates={candidates}
              preview={effect}
              before={before}
              name={name}
              hasNumbers={asksUnit}
              refusals={refusals ?? (mistake === null ? {} : { [mistaken]: mistake.message })}
              place={told === null ? null : placeOf(told)}
            />
          </div>
          <EffectPanel
            collection={collection}
            index={editing}
            reads={draft.kind === 'field' ? draft.field.trim() : SOURCE_WORDS[draft.kind]}
            isField={draft.kind === 'field'}
            fate={
              read.definition === null
                ? null
                : fateInWords(read.definition.onExpire, read.definition.schedule)
            }
            state={effect}
            isLeftOver={read.source === null || mistake !== null}
            isMistaken={mistake !== null}
            others={others}
            renderForecast={renderForecast}
          />
        </div>
      )}
      {step === 1 && preview !== null && read.definition !== null && (
        <div className="form">
          <ReviewStep
            collection={collection}
            summary={summary}
            before={before}
            others={others}
            hasNumbers={asksUnit}
            name={read.name}
            definition={read.definition}
            preview={preview}
            changedFrom={changed === null ? null : (save.variables?.dueAtOnce ?? null)}
            typedName={typedName}
            onTypeName={setTypedName}
          />
        </div>
      )}
      {step === 2 && job !== null && (
        <div className="form">
          <BuildStep
            collection={collection}
            name={built}
            job={job}
            isNew={isNew}
            onDone={() => land(built)}
            onCancelled={() => {
              showToast({
                kind: 'info',
                title: `Build of ${built} cancelled`,
                detail: `${collection} is as it was.`,
              });
              keep(draft);
              setStep(0);
            }}
            onBack={() => setStep(0)}
          />
        </div>
      )}
      <FormFoot
        step={step}
        isNew={isNew}
        canReview={isComplete(read) && preview !== null && mistake === null}
        canSend={isConfirmed}
        isSending={save.isPending}
        waitsFor={
          effect.error !== null
            ? problemOf(effect.error).message
            : effect.isCurrent
              ? null
              : 'Counting once more: what is confirmed is what is seen.'
        }
        // A count that moved and a refused control say so where they are.
        problem={changed !== null || refusals !== null ? null : problem}
        onCancel={() => {
          keep(null);
          goTo(toCollection(collection, 'ttl-indexes'));
        }}
        onReview={review}
        onBack={() => {
          save.reset();
          setStep(0);
        }}
        onSend={send}
        onTimeline={() => goTo(toCollection(collection, 'timeline'))}
      />
    </div>
  );
}

function titleOf(step: Step, isNew: boolean, name: string, collection: string): string {
  if (step === 0) return isNew ? `New TTL index on ${collection}` : `Change ${name} on ${collection}`;
  return `${step === 1 ? 'Review' : 'Building'} ${name} on ${collection}`;
}

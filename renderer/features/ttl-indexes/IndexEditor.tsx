import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef } from 'react';
import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type { Preview, TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import { liveState, problemOf, useLive, useRefusal, useWords } from '../../api.ts';
import { goTo, toCollection, toIndex } from '../../components/navigation/location.ts';
import { showToast } from '../../components/overlays/toast-store.ts';
import { formatBytes } from '../../i18n/format.ts';
import { formatRecordCount, type Words } from '../../i18n/format-engine-words.ts';
import { formatList } from '../../i18n/sentence.ts';
import { DefineStep } from './DefineStep.tsx';
import { FormFooter } from './FormFooter.tsx';
import classes from './form/index-form.module.css';
import { BuildProgress } from './list/BuildProgress.tsx';
import { formatOutcome } from './review/format-outcome.ts';
import { ReviewStep } from './review/ReviewStep.tsx';
import { type Step, Steps } from './Steps.tsx';
import { ProposalWarnings } from './schema/TableWarnings.tsx';
import { type EditorInput, useIndexEditor } from './use-index-editor.ts';

interface IndexEditorProps extends Omit<EditorInput, 'onLand'> {
  renderForecast: ((preview: Preview) => ReactNode) | undefined;
}

/** The three steps: a title above, the present step, and the button to the next one below. */
export function IndexEditor(props: IndexEditorProps) {
  const { collection, before } = props;
  const isNew = before === null;
  const land = (index: TtlIndex): void => {
    showToast({ kind: 'good', ...formatOutcome(index, isNew, liveState().reaper) });
    // An observing index gives no deadlines: its counts are shown on its card, not on the timeline.
    goTo(index.schedule.mode === 'observe' ? toIndex(collection, index.name) : toCollection(collection));
  };
  const refusal = useRefusal('ttlIndexes.update');
  const editor = useIndexEditor({ ...props, onLand: land });
  const { step, read, effect, built, job } = editor;
  const { preview } = effect;
  const summary = useLive(state => state.collections?.get(collection));
  const words = useWords();
  const counted = summary === undefined ? '' : sizeOf(summary, words);
  const others = props.indexes.filter(other => other.name !== editor.editing);
  const defined = read.definition;

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+Enter goes to the next step wherever the focus is
    <div
      className="index-form"
      onKeyDown={event => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        if (refusal !== null) return;
        if (step === 0) editor.review();
        else if (step === 1) editor.send();
      }}
    >
      <div className={classes.titlebar}>
        <Heading step={step} text={titleOf(step, isNew, built?.name ?? read.name, collection)} />
        {step === 0 && summary !== undefined && (
          <span className="t-3 ell">
            {summary.withDeadline === 0 ? <Trans>{counted}, none with a deadline</Trans> : counted}
          </span>
        )}
        <span className="spacer" />
        <Steps step={step} />
      </div>
      {step === 0 && (
        <DefineStep
          collection={collection}
          before={before}
          others={others}
          candidates={props.candidates}
          editor={editor}
          renderForecast={props.renderForecast}
        />
      )}
      {step === 1 && preview !== null && defined !== null && (
        <div className="form">
          <ReviewStep
            collection={collection}
            summary={summary}
            before={before}
            others={others}
            hasNumbers={editor.asksUnit}
            name={read.name}
            definition={editor.definition ?? defined}
            defined={defined}
            preview={preview}
            hasRollOut={editor.hasRollOut}
            confirmation={editor.confirmation}
            rollOut={editor.rollOut}
            onRollOut={editor.setRollOut}
            batchMs={editor.settings?.batchMs}
            warnings={<ProposalWarnings collection={collection} source={defined.source} />}
            changedFrom={editor.changedFrom}
            typedName={editor.typedName}
            onTypeName={editor.setTypedName}
          />
        </div>
      )}
      {step === 2 && job !== null && built !== null && (
        <div className="form">
          <BuildProgress
            collection={collection}
            name={built.name}
            job={job}
            isNew={isNew}
            onDone={() => land(built)}
            onCancelled={() => {
              showToast({
                kind: 'info',
                title: t`Build of ${built.name} cancelled`,
                detail: t`${collection} is unchanged.`,
              });
              editor.putBack();
            }}
            onBack={editor.back}
          />
        </div>
      )}
      <FormFooter
        step={step}
        isNew={isNew}
        refusal={refusal}
        canReview={editor.canReview && refusal === null}
        canSend={editor.canSend && refusal === null}
        isSending={editor.isSending}
        blockedBy={blockedBy(effect) ?? (editor.lacksName ? t`To continue, type ${collection} above.` : null)}
        problem={editor.problem}
        onCancel={() => {
          editor.forget();
          goTo(toCollection(collection, 'ttl-indexes'));
        }}
        onReview={editor.review}
        onBack={editor.back}
        onSend={editor.send}
        onTimeline={() => goTo(toCollection(collection, 'timeline'))}
      />
    </div>
  );
}

/** Moves the focus to the title of each step. */
function Heading({ step, text }: { step: Step; text: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (step > 0) heading.current?.focus();
  }, [step]);
  return (
    <h2 className="t-title" ref={heading} tabIndex={-1}>
      {text}
    </h2>
  );
}

function blockedBy({ error, isCurrent }: { error: unknown; isCurrent: boolean }): string | null {
  if (error !== null) return problemOf(error).message;
  return isCurrent ? null : t`Counting again, to confirm the current effect.`;
}

function titleOf(step: Step, isNew: boolean, name: string, collection: string): string {
  if (step === 0) return isNew ? t`New TTL index on ${collection}` : t`Change ${name} on ${collection}`;
  return step === 1 ? t`Review ${name} on ${collection}` : t`Building ${name} on ${collection}`;
}

/** Size of the collection; without the bytes for an engine that does not report them. */
function sizeOf({ documents, bytes }: CollectionSummary, words: Words | undefined): string {
  const counted = formatRecordCount(words, documents);
  return bytes === 0 ? counted : formatList([counted, formatBytes(bytes)]);
}

import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import type { Preview, TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import { isAsBefore } from './draft/unchanged-effect.ts';
import type { Candidates } from './form/field-candidates.ts';
import { IndexForm } from './form/IndexForm.tsx';
import { formatFate } from './format/format-action.ts';
import { EffectPanel } from './preview/EffectPanel.tsx';
import type { IndexEditor } from './use-index-editor.ts';

interface DefineStepProps {
  collection: string;
  before: TtlIndex | null;
  /** The other indexes of the collection. */
  others: readonly TtlIndex[];
  candidates: Candidates | null;
  editor: IndexEditor;
  renderForecast: ((preview: Preview) => ReactNode) | undefined;
}

const SOURCE_NAMES = { lastModified: t`the last write`, expression: t`its expression` } as const;

/** The form, with the exact effect of its input beside it. */
export function DefineStep(props: DefineStepProps) {
  const { collection, before, others, candidates, editor, renderForecast } = props;
  const { draft, read, effect } = editor;
  const { definition } = read;
  return (
    <div className="split">
      <div className="form">
        <IndexForm
          collection={collection}
          draft={draft}
          read={read}
          onChange={editor.change}
          candidates={candidates}
          preview={effect}
          before={before}
          name={editor.name}
          hasNumbers={editor.asksUnit}
          hasText={editor.asksFormat}
          refusals={editor.refusals}
          place={editor.place}
        />
      </div>
      <EffectPanel
        collection={collection}
        index={editor.editing}
        reads={draft.kind === 'field' ? draft.field.trim() : SOURCE_NAMES[draft.kind]}
        observes={definition?.schedule.mode === 'observe'}
        fate={definition === null ? null : formatFate(definition.onExpire, definition.schedule)}
        limits={definition?.limits ?? null}
        state={effect}
        isLeftOver={read.source === null || editor.isMistaken}
        isMistaken={editor.isMistaken}
        isAsBefore={isAsBefore(before, definition)}
        others={others}
        renderForecast={renderForecast}
      />
    </div>
  );
}

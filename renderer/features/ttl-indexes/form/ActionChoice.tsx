import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useIndexChoices, useMissing } from '../../../api.ts';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import type { DraftProblems, IndexDraft } from '../draft/index-draft.ts';
import type { Place } from '../draft/refusals.ts';
import { CodeField } from './CodeField.tsx';
import { MoveTarget } from './MoveTarget.tsx';
import { RetentionField } from './RetentionField.tsx';

const ACTIONS = [
  { value: 'delete', label: t`Delete` },
  { value: 'patch', label: t`Patch` },
  { value: 'replace', label: t`Replace` },
  { value: 'move', label: t`Move` },
] as const;

interface ActionChoiceProps {
  collection: string;
  draft: IndexDraft;
  onChange: (change: Partial<IndexDraft>) => void;
  /** Problems found by the form and by the engine. */
  problems: DraftProblems;
  /** Position of a mistake in the replacement. */
  place: Place | null;
  /** Fields of the collection. */
  fields: readonly string[];
}

/** The action at the deadline [A1 to A4], and how long its copies are kept [X4]. */
export function ActionChoice(props: ActionChoiceProps) {
  const { draft, onChange, problems } = props;
  const { actions } = useIndexChoices();
  const withoutCopies = useMissing('restore');
  return (
    <>
      <Segmented
        label={t`Action`}
        large
        value={draft.action}
        segments={ACTIONS.filter(({ value }) => actions.includes(value))}
        onChange={action => onChange({ action })}
      />
      <What {...props} />
      {withoutCopies === null ? (
        <RetentionField
          value={draft.retention}
          onChange={retention => onChange({ retention })}
          problem={problems.retention ?? null}
        />
      ) : (
        <p className="hint wrap">{withoutCopies}</p>
      )}
    </>
  );
}

function What({ collection, draft, onChange, problems, place, fields }: ActionChoiceProps) {
  switch (draft.action) {
    case 'delete':
      return null;
    case 'patch':
      return (
        <CodeField
          language="json"
          label={t`Patch`}
          fields={fields}
          value={draft.patch}
          onChange={patch => onChange({ patch })}
          problem={draft.patch === '' ? null : (problems.patch ?? null)}
          placeholder={'{"claim": null, "state": "free"}'}
          hint={t`A JSON merge patch: what it holds is set, null removes a field. The document stays.`}
        />
      );
    case 'replace':
      return (
        <CodeField
          language="cel"
          label={t`Replacement`}
          fields={fields}
          value={draft.replacement}
          onChange={replacement => onChange({ replacement })}
          problem={draft.replacement === '' ? null : (problems.replacement ?? null)}
          place={place}
          placeholder={'merge(without(doc, "c"), {"freedAt": now})'}
          hint={
            <Trans>
              CEL over <span className="mono">doc</span> and <span className="mono">now</span> returns the new
              document; <span className="mono">null</span> deletes it.
            </Trans>
          }
        />
      );
    case 'move':
      return (
        <MoveTarget
          collection={collection}
          value={draft.moveTo}
          onChange={moveTo => onChange({ moveTo })}
          problem={draft.moveTo === '' ? null : (problems.moveTo ?? null)}
        />
      );
  }
}

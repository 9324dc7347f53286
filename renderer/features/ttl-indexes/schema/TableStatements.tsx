import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { CodeBlock } from '../../../components/code/CodeBlock.tsx';
import { CopyButton } from '../../../components/controls/CopyButton.tsx';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import classes from './schema-set-up.module.css';
import { useTableReport } from './use-table-report.ts';

const FORMS = ['hideByView', 'hideByPolicy', 'pgCron'] as const;
type Form = (typeof FORMS)[number];

const SEGMENTS = [
  { value: 'hideByView', label: t`View` },
  { value: 'hideByPolicy', label: t`Row security` },
  { value: 'pgCron', label: t`pg_cron` },
] as const satisfies readonly { value: Form; label: string }[];

/** SQL for a person: how applications stop seeing due rows [V1], and the same policy without Sandglass. */
export function TableStatements({ collection, index }: { collection: string; index: string }) {
  const statements = useTableReport(collection, index)?.index ?? null;
  const [form, setForm] = useState<Form>('hideByView');
  if (statements === null) return null;
  const { [form]: text } = statements;
  return (
    <section className={`panel ${classes.statements}`} aria-label={t`SQL of this policy`}>
      <div className="panel-h">
        <h2>{t`SQL of this policy`}</h2>
        <Segmented label={t`SQL of this policy, as`} value={form} segments={SEGMENTS} onChange={setForm} />
        <span className="spacer" />
        <CopyButton key={form} text={text} />
      </div>
      <p className="hint wrap">{EXPLANATIONS[form]}</p>
      <CodeBlock text={text} />
    </section>
  );
}

const EXPLANATIONS: Readonly<Record<Form, string>> = {
  hideByView: t`Applications that read this view no longer see rows past their deadline. Sandglass does not execute it.`,
  hideByPolicy: t`Row security hides rows past their deadline from every role but the reaper’s. Sandglass does not execute it.`,
  pgCron: t`The same removal by the extension pg_cron, without Sandglass.`,
};

import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { CodeBlock } from '../../../components/code/CodeBlock.tsx';
import { CopyButton } from '../../../components/controls/CopyButton.tsx';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import { COPY_FORMS, type CopyForm, type Elsewhere, formatCopy } from './copy-formats.ts';
import type { IndexCall } from './index-call.ts';
import classes from './review.module.css';

interface CopyAsProps {
  title: string;
  call: IndexCall;
  /** Formats for the command line and other systems; null: only the call. An absent format is not offered. */
  elsewhere: Elsewhere | null;
  /** The format shown first. */
  first?: CopyForm;
  /** The query parameter that holds the selected format. */
  onChoose?: (form: CopyForm) => void;
}

/**
 * The definition as a REST call, for the command line and for other systems, or the reason why a system has no
 * equivalent.
 */
export function CopyAs({ title, call, elsewhere, first = 'rest', onChoose }: CopyAsProps) {
  const [chosen, setChosen] = useState(first);
  const forms = COPY_FORMS.filter(({ value }) => value === 'rest' || elsewhere?.[value] !== undefined);
  const form = forms.some(({ value }) => value === chosen) ? chosen : 'rest';
  const copied = form === 'rest' || elsewhere === null ? null : formatCopy(form, elsewhere);
  const text = copied === null ? `${call.method} ${call.path}\n${call.body}` : copied.statement;
  return (
    <section className={`panel ${classes.copyAs}`} aria-label={title}>
      <div className="panel-h">
        <h2>{title}</h2>
        {elsewhere === null ? (
          <span className="t-12 t-3">REST</span>
        ) : (
          <Segmented
            label={t`${title}, as`}
            value={form}
            segments={forms}
            onChange={next => {
              setChosen(next);
              onChoose?.(next);
            }}
          />
        )}
        <span className="spacer" />
        {text !== null && <CopyButton key={form} text={text} />}
      </div>
      {text !== null ? (
        <CodeBlock text={text} />
      ) : (
        <p className={`t-2 wrap ${classes.noSuch}`}>{copied?.reason}</p>
      )}
      {copied?.statement != null && copied.reason !== null && (
        <p className={`hint wrap ${classes.noSuch}`}>{copied.reason}</p>
      )}
    </section>
  );
}

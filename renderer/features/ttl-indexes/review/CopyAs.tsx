import { useState } from 'react';
import type { ReadBack } from '../../../../shared/contract/ttl-indexes.ts';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import { CopyButton, RestCall } from '../../../components/RestCall.tsx';
import { COPY_FORMS, type CopyForm, copiedText } from './copy-formats.ts';
import type { IndexCall } from './index-call.ts';
import './review.css';

interface CopyAsProps {
  title: string;
  call: IndexCall;
  /** The same elsewhere; null: there is the call alone. */
  elsewhere: Pick<ReadBack, 'cli' | 'cockroachdb' | 'mongodb' | 'arangodb'> | null;
  /** What is shown first. */
  first?: CopyForm;
  /** Where the address keeps what is shown. */
  onChoose?: (form: CopyForm) => void;
}

/** What would make the index: as a call, on the command line, in other systems, or why they have no such thing. */
export function CopyAs({ title, call, elsewhere, first = 'rest', onChoose }: CopyAsProps) {
  const [chosen, setChosen] = useState(first);
  const form = elsewhere === null ? 'rest' : chosen;
  const said = form === 'rest' || elsewhere === null ? null : copiedText(form, elsewhere);
  const text = said === null ? `${call.method} ${call.path}\n${call.body}` : said.statement;
  return (
    <section className="panel copy-as" aria-label={title}>
      <div className="panel-h">
        <h2>{title}</h2>
        {elsewhere === null ? (
          <span className="t-12 t-3">REST</span>
        ) : (
          <Segmented
            label={`${title}, as`}
            value={form}
            segments={COPY_FORMS}
            onChange={next => {
              setChosen(next);
              onChoose?.(next);
            }}
          />
        )}
        <span className="spacer" />
        {text !== null && <CopyButton key={form} text={text} />}
      </div>
      {said === null ? (
        <RestCall {...call} />
      ) : said.statement !== null ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls, and a keyboard must reach it to scroll it
        <pre className="code" tabIndex={0}>
          {said.statement}
        </pre>
      ) : (
        <p className="t-2 wrap no-such">{said.reason}</p>
      )}
      {said?.statement != null && said.reason !== null && <p className="hint wrap no-such">{said.reason}</p>}
    </section>
  );
}

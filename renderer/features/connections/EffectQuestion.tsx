import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { needsName } from '../../../shared/model/confirmation-rule.ts';
import { answerEffect, effectQuestion, type EffectQuestion as Question } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { formatCount } from '../../i18n/format.ts';
import { useStore } from '../../state/store.ts';
import { formatWrite } from './format-write.ts';

/** Mounted once. Confirms a call that makes many documents due [R8], above any open dialog. */
export function EffectQuestion() {
  const question = useStore(effectQuestion);
  return (
    <Dialog
      opened={question !== null}
      onClose={() => answerEffect(false)}
      title={question === null ? '' : t`${formatCount(question.effect.due)} documents become due`}
      width={480}
      above
    >
      {question !== null && <Ask question={question} />}
    </Dialog>
  );
}

function Ask({ question }: { question: Question }) {
  const { effect, path, input } = question;
  const [typed, setTyped] = useState('');
  const { sentence, button } = formatWrite(path, input, '');
  const named = effect.collections.find(needsName)?.collection;
  return (
    <form
      className="form"
      onSubmit={event => {
        event.preventDefault();
        answerEffect(true);
      }}
    >
      <p className="wrap">{sentence}</p>
      <ul className="wrap">
        {effect.collections.map(({ collection, due, documents }) => (
          <li key={collection}>
            {path.at(-1) === 'setExpirations' || path.at(-1) === 'undo' ? (
              <Trans>
                {formatCount(due)} of {formatCount(documents)} documents of{' '}
                <b className="mono t-semi">{collection}</b> expire within 24 h.
              </Trans>
            ) : (
              <Trans>
                {formatCount(due)} of {formatCount(documents)} documents of{' '}
                <b className="mono t-semi">{collection}</b> expire.
              </Trans>
            )}
          </li>
        ))}
      </ul>
      {named !== undefined && (
        <TextInput
          classNames={{ input: 'mono' }}
          label={
            <Trans>
              To confirm, type the name of the collection: <b className="mono t-semi">{named}</b>
            </Trans>
          }
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
      )}
      <div className="row end">
        <Button data-autofocus onClick={() => answerEffect(false)}>{t`Cancel`}</Button>
        <Button type="submit" variant="danger" disabled={named !== undefined && typed !== named}>
          {button}
        </Button>
      </div>
    </form>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { addressOf } from '../../../shared/contract/connections.ts';
import { answerWrite, type WriteQuestion as Question, writeQuestion } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { ConnectionMark } from '../../components/status/ConnectionMark.tsx';
import { ProductionTag } from '../../components/status/ProductionTag.tsx';
import { useStore } from '../../state/store.ts';
import { formatWrite } from './format-write.ts';

/** Mounted once. Confirms writes to production, above any open dialog. */
export function WriteQuestion() {
  const question = useStore(writeQuestion);
  return (
    <Dialog
      opened={question !== null}
      onClose={() => answerWrite('no')}
      title={t`Write to ${question?.connection.name ?? ''}?`}
      width={480}
      above
    >
      {question !== null && <Ask question={question} />}
    </Dialog>
  );
}

function Ask({ question }: { question: Question }) {
  const { connection, path, input, summary, isDestructive } = question;
  const [isTrusted, setTrusted] = useState(false);
  const [typed, setTyped] = useState('');
  const { sentence, button } = formatWrite(path, input, summary);
  return (
    <form
      className="form"
      onSubmit={event => {
        event.preventDefault();
        answerWrite(isTrusted ? 'trusted' : 'yes');
      }}
    >
      <p className="row">
        <ConnectionMark colour={connection.colour} />
        <b className="t-semi ell" title={connection.name}>
          {connection.name}
        </b>
        <ProductionTag />
      </p>
      <p className="wrap">{sentence}</p>
      <p className="t-12 t-3 mono wrap">{addressOf(connection.target)}</p>
      {isDestructive ? (
        <TextInput
          label={
            <Trans>
              To confirm, type the name of the connection: <b className="t-semi">{connection.name}</b>
            </Trans>
          }
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
      ) : (
        <Checkbox
          label={t`Do not ask again for 15 minutes in this window`}
          checked={isTrusted}
          onChange={event => setTrusted(event.target.checked)}
        />
      )}
      <div className="row end">
        <Button data-autofocus onClick={() => answerWrite('no')}>{t`Cancel`}</Button>
        <Button
          type="submit"
          variant={isDestructive ? 'danger' : 'primary'}
          disabled={isDestructive && typed.trim() !== connection.name}
        >
          {button}
        </Button>
      </div>
    </form>
  );
}

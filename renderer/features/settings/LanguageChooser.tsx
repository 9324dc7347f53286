import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Button } from '../../components/controls/Button.tsx';
import { Segmented } from '../../components/controls/Segmented.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { chooseLanguage, LANGUAGES, type LanguageChoice, languageChoice } from '../../i18n/language.ts';
import { hasUnkeptChanges, leaveUnkept } from '../../state/unkept-changes.ts';

const LANGUAGE_SEGMENTS = [{ value: 'system', label: t`System` }, ...LANGUAGES] as const;

/** A change reloads the window; the loss of unkept changes is confirmed first. */
export function LanguageChooser() {
  const [asked, setAsked] = useState<LanguageChoice | null>(null);
  const [shown, setShown] = useState(languageChoice());
  const choose = (choice: LanguageChoice) => {
    if (hasUnkeptChanges()) setAsked(choice);
    else {
      setShown(choice);
      chooseLanguage(choice);
    }
  };
  return (
    <>
      <Segmented label={t`Language`} value={shown} segments={LANGUAGE_SEGMENTS} onChange={choose} />
      <Dialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={t`Discard unsaved changes?`}
        width={440}
      >
        <div className="form">
          <p>{t`A change of the language loads the window again. Staged edits and unsaved text of production connections are not kept.`}</p>
          <div className="row end">
            <Button data-autofocus onClick={() => setAsked(null)}>{t`Keep the language`}</Button>
            <Button
              variant="danger"
              onClick={() => {
                if (asked === null) return;
                leaveUnkept();
                chooseLanguage(asked);
              }}
            >{t`Discard and change`}</Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}

/// <reference path="./po.d.ts" />
import { type Messages, setupI18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { type Language, languageChoice, languageFor } from './language.ts';

/** The build compiles the catalogues to modules. English has none: its messages are in the sources. */
const CATALOGUES: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ messages: Messages }>>> = {
  de: () => import('../locales/de.po'),
  'zh-Hans': () => import('../locales/zh-Hans.po'),
};

/** The language of the window. A change of the choice reloads the window. */
export const language = languageFor(languageChoice(), navigator.languages);

/**
 * Every module with messages imports this one instead of Lingui's (`lingui.config.ts`). It is therefore evaluated after
 * the catalogue is loaded, so that constants of modules may hold messages.
 */
export const i18n = setupI18n();

const compiled = new Map<string, ReturnType<typeof compileMessage>>();

i18n.setMessagesCompiler(message => {
  let tokens = compiled.get(message);
  if (tokens === undefined) {
    tokens = compileMessage(message);
    compiled.set(message, tokens);
  }
  return tokens;
});

i18n.loadAndActivate({
  locale: language,
  messages: language === 'en' ? {} : (await CATALOGUES[language]()).messages,
});

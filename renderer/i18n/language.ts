/** Languages of the window, in their own names. The first is the language of the sources. */
export const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
  { value: 'zh-Hans', label: '简体中文' },
] as const;
export type Language = (typeof LANGUAGES)[number]['value'];

/** The chosen language; without a choice, the language of the system. */
export type LanguageChoice = Language | 'system';

const KEY = 'sandglass.language';

const languageNamed = (name: string | null): Language | undefined =>
  LANGUAGES.find(({ value }) => value === name)?.value;

export function languageChoice(): LanguageChoice {
  return languageNamed(localStorage.getItem(KEY)) ?? 'system';
}

/** Stores the choice and reloads the window: messages and formats must not mix languages. */
export function chooseLanguage(choice: LanguageChoice): void {
  if (choice === languageChoice()) return;
  if (choice === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  location.reload();
}

/**
 * Returns the language of the window: the chosen one, otherwise the first of the person's languages that has a
 * catalogue, otherwise English. Traditional Chinese does not select simplified Chinese.
 */
export function languageFor(choice: LanguageChoice, preferred: readonly string[]): Language {
  if (choice !== 'system') return choice;
  for (const tag of preferred) {
    const { language, script } = new Intl.Locale(tag).maximize();
    const found = languageNamed(language) ?? languageNamed(`${language}-${script}`);
    if (found !== undefined) return found;
  }
  return 'en';
}

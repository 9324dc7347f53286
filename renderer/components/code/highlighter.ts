import { tagHighlighter, tags } from '@lezer/highlight';

/** CSS classes of syntax tokens; the theme defines their colours. */
export const highlighter = tagHighlighter([
  { tag: tags.propertyName, class: 'j-k' },
  { tag: tags.string, class: 'j-s' },
  { tag: tags.number, class: 'j-n' },
  { tag: [tags.bool, tags.null, tags.atom, tags.keyword], class: 'j-c' },
  { tag: tags.function(tags.variableName), class: 'j-k' },
  { tag: [tags.punctuation, tags.comment], class: 'j-p' },
]);

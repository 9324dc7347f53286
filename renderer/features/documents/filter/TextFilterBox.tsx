import { t } from '@lingui/core/macro';
import { useMissing } from '../../../api.ts';
import type { FilterBoxProps } from './filter-box.ts';

export function TextFilterBox({ boxRef, text, onType, onSettle, describedBy }: FilterBoxProps) {
  const searchesContent = useMissing('contentSearch') === null;
  return (
    <input
      ref={boxRef}
      className="mono"
      type="search"
      aria-label={t`Filter by text`}
      aria-describedby={describedBy}
      placeholder={searchesContent ? t`Text anywhere in a document` : t`Text in the key`}
      title={t`Shortcut: /`}
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      value={text}
      onChange={event => onType(event.target.value)}
      onKeyDown={event => {
        if (event.key === 'Enter') onSettle();
        if (event.key !== 'Escape' || text === '') return;
        event.stopPropagation();
        onType('');
      }}
    />
  );
}

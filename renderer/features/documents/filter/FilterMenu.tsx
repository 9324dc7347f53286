import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { Popover } from '../../../components/overlays/Popover.tsx';
import { now, useZone } from '../../../components/time/clock.ts';
import { type DocumentsQuery, parseDocumentsQuery } from '../list/documents-query.ts';
import classes from './filter-menu.module.css';
import { formatFilter } from './format-filter.ts';
import { filterOf, useFilters, withoutSaved, withRecent, withSaved } from './saved-filters.ts';

/** Time for which a filter must stay unchanged to be listed as recent, ms: partly typed text is not listed. */
const SETTLED_MS = 2_000;

interface FilterMenuProps {
  collection: string;
  query: DocumentsQuery;
  onChange: (change: Partial<DocumentsQuery>) => void;
}

/** Saves the filter under a name, and offers saved and recent ones. */
export function FilterMenu({ collection, query, onChange }: FilterMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const [filters, change] = useFilters(collection);
  const [name, setName] = useState('');
  const [zone] = useZone();
  const current = filterOf(query);
  const remember = useEffectEvent(() => change(known => withRecent(known, current)));
  useEffect(() => {
    if (current === '') return;
    const timer = setTimeout(remember, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [current]);

  const apply = (filter: string) => {
    const { sort: _, order: __, ...asked } = parseDocumentsQuery(filter);
    onChange(asked);
    setOpen(false);
  };
  const recent = filters.recent.filter(
    filter => filter !== current && !filters.saved.some(saved => saved.query === filter),
  );
  const text = (filter: string) => formatFilter(filter, now(), zone);
  return (
    <Popover
      label={t`Saved and recent filters`}
      width={340}
      opened={isOpen}
      onChange={setOpen}
      target={<Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>{t`Filters`}</Button>}
    >
      <form
        className={classes.save}
        onSubmit={event => {
          event.preventDefault();
          if (name.trim() === '' || current === '') return;
          change(known => withSaved(known, name.trim(), current));
          setName('');
        }}
      >
        <TextInput
          className={classes.name ?? ''}
          aria-label={t`Name of this filter`}
          placeholder={current === '' ? t`No filter to save` : t`Save this filter as…`}
          autoComplete="off"
          disabled={current === ''}
          value={name}
          onChange={event => setName(event.target.value)}
        />
        <Button type="submit" disabled={name.trim() === '' || current === ''}>{t`Save`}</Button>
      </form>
      {filters.saved.length > 0 && (
        <section aria-label={t`Saved filters`}>
          <h3 className="t-11 t-3">{t`Saved`}</h3>
          <ul className={classes.list}>
            {filters.saved.map(saved => (
              <li key={saved.name} className="row">
                <button
                  type="button"
                  className={classes.filter}
                  aria-pressed={saved.query === current}
                  title={text(saved.query)}
                  onClick={() => apply(saved.query)}
                >
                  <b className="t-semi">{saved.name}</b> <span className="t-3">{text(saved.query)}</span>
                </button>
                <IconButton
                  icon="x"
                  iconSize={12}
                  label={t`Delete the filter ${saved.name}`}
                  onClick={() => change(known => withoutSaved(known, saved.name))}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      {recent.length > 0 && (
        <section aria-label={t`Recent filters`}>
          <h3 className="t-11 t-3">{t`Recent`}</h3>
          <ul className={classes.list}>
            {recent.map(filter => (
              <li key={filter}>
                <button
                  type="button"
                  className={classes.filter}
                  title={text(filter)}
                  onClick={() => apply(filter)}
                >
                  {text(filter)}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {filters.saved.length === 0 && recent.length === 0 && (
        <p className="t-12 t-3">
          <Trans>Filters that you used or saved in this collection appear here.</Trans>
        </p>
      )}
    </Popover>
  );
}

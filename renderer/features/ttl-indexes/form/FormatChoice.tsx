import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Autocomplete, TextInput } from '@mantine/core';
import { useId } from 'react';
import type { FormatOffer, Preview } from '../../../../shared/contract/ttl-indexes.ts';
import { ISO } from '../../../../shared/model/dates/format-list.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Note } from '../../../components/status/Note.tsx';
import { formatCount } from '../../../i18n/format.ts';
import { formatAlternatives } from '../../../i18n/sentence.ts';
import type { DraftProblems, IndexDraft } from '../draft/index-draft.ts';
import { valueCount } from '../preview/preview-figures.ts';
import classes from './format-choice.module.css';

interface FormatChoiceProps {
  draft: IndexDraft;
  onChange: (change: Partial<IndexDraft>) => void;
  problems: DraftProblems;
  /** Exact counts under these formats; null: not known. */
  preview: Preview | null;
}

/**
 * Choice of how text in the field is read [D3]: as ISO 8601, or by formats. The zone of dates without an offset is
 * always shown.
 */
export function FormatChoice({ draft, onChange, problems, preview }: FormatChoiceProps) {
  const { formats } = draft;
  const id = useId();
  const set = (i: number, format: string) =>
    onChange({ formats: formats.map((other, j) => (i === j ? format : other)) });
  return (
    <div className={classes.formats}>
      <div className={`row ${classes.row}`}>
        <span className="t-2 nowrap">{t`Read text as`}</span>
        {formats.length === 0 && <span className="nowrap">{t`ISO 8601, UTC without an offset`}</span>}
        {formats.map((format, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: its position is what identifies a format
          <span className={`row ${classes.format}`} key={i}>
            <TextInput
              classNames={{ input: 'mono' }}
              size="xs"
              aria-label={formats.length === 1 ? t`Date format` : t`Date format ${i + 1}`}
              placeholder="yyyy-MM-dd HH:mm:ss"
              value={format}
              spellCheck={false}
              autoComplete="off"
              error={problems.formats !== undefined}
              aria-describedby={`${id}-problem`}
              onChange={event => set(i, event.target.value)}
            />
            <Button
              small
              variant="ghost"
              icon="x"
              aria-label={t`Remove the format ${format}`}
              onClick={() => onChange({ formats: formats.filter((_, j) => i !== j) })}
            />
          </span>
        ))}
        <Button small variant="ghost" onClick={() => onChange({ formats: [...formats, ''] })}>
          {formats.length === 0 ? t`Other format…` : t`or another…`}
        </Button>
      </div>
      {formats.length > 0 && <ZoneRow zone={draft.zone} id={id} {...{ onChange, problems }} />}
      <p id={`${id}-problem`} className="problem" aria-live="polite">
        {problems.formats ?? problems.zone}
      </p>
      {preview !== null && <Offers draft={draft} onChange={onChange} preview={preview} />}
    </div>
  );
}

interface ZoneRowProps extends Pick<FormatChoiceProps, 'onChange' | 'problems'> {
  id: string;
  zone: string;
}

function ZoneRow({ id, zone, onChange, problems }: ZoneRowProps) {
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <div className={`row ${classes.row}`}>
      <label className="t-2 nowrap" htmlFor={`${id}-zone`}>{t`Without an offset, in`}</label>
      <Autocomplete
        id={`${id}-zone`}
        size="xs"
        value={zone}
        placeholder="UTC"
        data={[...new Set(['UTC', here, ...Intl.supportedValuesOf('timeZone')])]}
        limit={20}
        spellCheck={false}
        error={problems.zone !== undefined}
        aria-describedby={`${id}-problem`}
        onChange={value => onChange({ zone: value })}
      />
    </div>
  );
}

const DOUBTS = {
  order: t`The values do not show which number is the day and which the month.`,
  year: t`Years of two digits are read as 1970 to 2069.`,
} as const;

/** Formats for values that cannot be read at present, each with a button. */
function Offers({
  draft,
  onChange,
  preview,
}: Required<Pick<FormatChoiceProps, 'draft' | 'onChange'>> & { preview: Preview }) {
  const { offers } = preview.unreadable;
  const [first] = offers;
  if (first === undefined) return null;
  const of = valueCount(preview);
  const read = (offer: FormatOffer) => onChange({ formats: offer.formats });
  const added = offers.map(offer => ({ offer, name: nameOf(offer, draft.formats) }));
  const names = formatAlternatives(added.map(({ name }) => name));
  // A few wrong values are corrected in the documents: another format would not read the others.
  if (first.values * 2 <= of) {
    return (
      <p className="hint wrap">
        <Trans>
          {formatCount(first.values)} of {formatCount(of)} values look like{' '}
          <span className="mono">{nameOf(first, draft.formats)}</span>; they would never expire.
        </Trans>{' '}
        {first.doubt === null && (
          <button type="button" className="link" onClick={() => read(first)}>{t`Read them, too`}</button>
        )}
      </p>
    );
  }
  return (
    <Note
      tone="warn"
      role="status"
      className={classes.note}
      action={added.map(({ offer, name }) => (
        <Button small key={name} onClick={() => read(offer)}>
          <Trans>Read as {name}</Trans>
        </Button>
      ))}
    >
      <b className="t-semi">
        {first.values === of
          ? t`All ${formatCount(of)} values look like ${names}.`
          : t`${formatCount(first.values)} of ${formatCount(of)} values look like ${names}.`}
      </b>{' '}
      {first.doubt === null ? t`They never expire as they are read now.` : DOUBTS[first.doubt]}
    </Note>
  );
}

/** Returns the formats that an offer adds to those in use. */
function nameOf({ formats }: FormatOffer, present: readonly string[]): string {
  return formatAlternatives(formats.filter(format => format !== ISO && !present.includes(format)));
}

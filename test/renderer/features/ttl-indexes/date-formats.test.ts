import { describe, expect, test } from 'vitest';
import { chosenField } from '../../../../renderer/features/ttl-indexes/draft/field-draft.ts';
import type { IndexDraft } from '../../../../renderer/features/ttl-indexes/draft/index-draft.ts';
import { queryDraft } from '../../../../renderer/features/ttl-indexes/draft/query-draft.ts';
import { draftFrom, draftOf } from '../../../../renderer/features/ttl-indexes/draft/read-draft.ts';
import { readSource } from '../../../../renderer/features/ttl-indexes/draft/source-draft.ts';
import { formatContent } from '../../../../renderer/features/ttl-indexes/form/field-candidates.ts';
import { differences } from '../../../../renderer/features/ttl-indexes/history/format-change.ts';
import type { FieldCandidate, FormatOffer } from '../../../../shared/contract/ttl-indexes.ts';
import { anIndex } from './build.ts';

const NOW = Date.UTC(2026, 0, 1);
const offer = (change: Partial<FormatOffer> = {}): FormatOffer => ({
  formats: ['yyyy.MM.dd'],
  values: 10,
  doubt: null,
  example: '2005.06.03',
  exampleAt: Date.UTC(2005, 5, 3),
  earliestAt: Date.UTC(2005, 5, 3),
  latestAt: Date.UTC(2005, 5, 9),
  ...change,
});
const candidate = (field: string, offers: FormatOffer[]): FieldCandidate => ({
  field,
  present: 10,
  dates: 0,
  types: ['text'],
  unit: null,
  format: 'not a date',
  example: '2005.06.03',
  earliestAt: null,
  latestAt: null,
  offers,
});
const unclear = [
  offer({ formats: ['dd/MM/yyyy'], doubt: 'order' }),
  offer({ formats: ['MM/dd/yyyy'], doubt: 'order' }),
];
const short = [offer({ formats: ['yyMMdd'], doubt: 'year' })];

describe('formats in the form of a new index', () => {
  test('[D3] are chosen with their field if certain, and never if ambiguous', () => {
    const fields = [candidate('day', [offer()]), candidate('us', unclear), candidate('short', short)];
    const first = draftFrom(fields, NOW);
    expect([first.field, first.formats, first.zone]).toEqual(['day', ['yyyy.MM.dd'], '']);
    for (const field of ['us', 'short']) {
      const form = { draft: first, candidates: { fields }, before: null };
      expect(chosenField(form, field)).toMatchObject({ field, formats: [] });
      expect(
        draftFrom(
          fields.filter(other => other.field === field),
          NOW,
        ).field,
      ).toBe('');
    }
    expect(fields.map(formatContent)).toEqual(['yyyy.MM.dd', 'date, order unclear', 'date, short year']);
  });

  test('[D3] are those of the field that the address names', () => {
    const fields = [candidate('day', [offer()]), candidate('other', [])];
    const first = draftFrom(fields, NOW);
    expect(queryDraft(first, new URLSearchParams('field=other'), fields)).toMatchObject({ formats: [] });
    expect(queryDraft(first, new URLSearchParams('field=day'), fields)).toMatchObject({
      formats: ['yyyy.MM.dd'],
    });
  });

  test('[D3] are kept for a typed path if the user chose them, not if they were suggested', () => {
    const fields = [candidate('day', [offer()])];
    const draft = draftFrom(fields, NOW);
    const form = { draft, candidates: { fields }, before: null };
    expect(chosenField(form, 'da')).toEqual({ field: 'da', formats: [] });
    const own = { ...form, draft: { ...draft, formats: ['dd.MM.yyyy'] } };
    expect(chosenField(own, 'da')).toEqual({ field: 'da' });
  });

  test('[D3] are parsed with their zone, and an invalid one has its problem beside it', () => {
    const draft = (change: Partial<IndexDraft>) => ({ ...draftFrom([], NOW), field: 'day', ...change });
    expect(readSource(draft({ formats: [' yyyy.MM.dd ', 'iso'], zone: ' Europe/Berlin ' }))).toEqual({
      value: {
        kind: 'field',
        field: 'day',
        unit: 'seconds',
        formats: ['yyyy.MM.dd', 'iso'],
        zone: 'Europe/Berlin',
        expireAfter: 2_592_000,
      },
    });
    expect(readSource(draft({ formats: ['yyyy.MM.dd'] }))).toMatchObject({ value: { zone: 'UTC' } });
    expect(readSource(draft({ formats: ['YYYY.MM.dd'] }))).toMatchObject({
      problems: { formats: expect.stringContaining('write yyyy') },
    });
    expect(readSource(draft({ formats: [''] }))).toMatchObject({ problems: { formats: expect.any(String) } });
  });

  test('[D3, X5] of a definition are shown, and parsed back unchanged', () => {
    const source = {
      kind: 'field' as const,
      field: 'day',
      unit: 'seconds' as const,
      formats: ['yyyy.MM.dd'],
      zone: 'UTC',
      expireAfter: 86_400,
    };
    const index = anIndex({ source });
    expect(readSource(draftOf(index))).toEqual({ value: source });
    expect(differences(null, index)[0]).toMatchObject({ is: '1 day after day, read as yyyy.MM.dd in UTC' });
  });
});

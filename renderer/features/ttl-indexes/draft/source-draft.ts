import { t } from '@lingui/core/macro';
import { parsePattern } from '../../../../shared/model/dates/date-pattern.ts';
import { ISO } from '../../../../shared/model/dates/format-list.ts';
import { type FieldPathSentences, fieldPathProblem } from '../../../../shared/model/field-path.ts';
import { expireAfterOf, type TtlSource } from '../../../../shared/model/ttl-index.ts';
import { parseTypedDuration } from '../../../i18n/typed-duration.ts';
import { type DraftProblems, type IndexDraft, type Read, typedDuration } from './index-draft.ts';

const LONGEST_EXPRESSION = 10_000;

const FIELD_PATH: FieldPathSentences = {
  empty: t`Name the field that holds the date.`,
  tooLong: t`A field path has at most 512 characters.`,
  emptyStep: field =>
    t`“${field}” has an empty step; a path is names joined by single dots, such as meta.expires.`,
};

/** The source of the reference time, as typed [D1, D2, D7, D8]. */
export function readSource(draft: IndexDraft): Read<TtlSource> {
  switch (draft.kind) {
    case 'field':
      return readField(draft);
    case 'lastModified': {
      const parsed = parseTypedDuration(draft.expireAfter);
      return 'problem' in parsed
        ? { problems: { expireAfter: parsed.problem } }
        : { value: { kind: 'lastModified', expireAfter: parsed.seconds } };
    }
    case 'expression':
      return readExpression(draft.expression);
  }
}

function readField({
  field: typed,
  unit,
  formats: typedFormats,
  zone,
  life,
  expireAfter,
  ttlField: typedTtl,
}: IndexDraft): Read<TtlSource> {
  const field = typed.trim();
  const ttlField = typedTtl.trim();
  const parsed = parseTypedDuration(expireAfter);
  const formats = typedFormats.map(format => format.trim());
  const reading = {
    field,
    unit,
    ...(formats.length > 0 && { formats, zone: zone.trim() === '' ? 'UTC' : zone.trim() }),
  };
  const isOwn = life === 'own';
  const problems: DraftProblems = {
    ...said('field', fieldPathProblem(field, FIELD_PATH)),
    ...said('formats', formats.map(formatProblem).find(problem => problem !== null) ?? null),
    ...(isOwn && said('ttlField', ttlFieldProblem(ttlField))),
    ...(!isOwn && 'problem' in parsed && { expireAfter: parsed.problem }),
  };
  if (Object.keys(problems).length > 0) return { problems };
  if (isOwn) return { value: { kind: 'field', ...reading, expireAfterField: ttlField } };
  return 'problem' in parsed
    ? { problems }
    : { value: { kind: 'field', ...reading, expireAfter: parsed.seconds } };
}

function formatProblem(format: string): string | null {
  if (format === '') return t`Enter a format, such as yyyy-MM-dd HH:mm:ss, or remove it.`;
  if (format === ISO) return null;
  const parsed = parsePattern(format);
  return 'problem' in parsed ? parsed.problem : null;
}

function ttlFieldProblem(field: string): string | null {
  return field === ''
    ? t`Enter the field that holds each document’s duration.`
    : fieldPathProblem(field, FIELD_PATH);
}

function said(control: keyof DraftProblems, problem: string | null): DraftProblems {
  return problem === null ? {} : { [control]: problem };
}

/** The engine compiles the expression; its preview reports mistakes. */
function readExpression(expression: string): Read<TtlSource> {
  if (expression.trim() === '') return { problems: { expression: t`Enter an expression.` } };
  if (expression.length > LONGEST_EXPRESSION) {
    return { problems: { expression: t`An expression has at most 10,000 characters.` } };
  }
  return { value: { kind: 'expression', expression } };
}

/** Returns a source as typed text. */
export function sourceTexts(source: TtlSource): Partial<IndexDraft> {
  const life = { expireAfter: typedDuration(expireAfterOf(source)) };
  switch (source.kind) {
    case 'field':
      return {
        kind: 'field',
        field: source.field,
        unit: source.unit,
        formats: source.formats ?? [],
        zone: source.zone ?? '',
        ...(source.expireAfterField === undefined
          ? life
          : { life: 'own' as const, ttlField: source.expireAfterField }),
      };
    case 'lastModified':
      return { kind: 'lastModified', ...life };
    case 'expression':
      return { kind: 'expression', expression: source.expression };
  }
}

import { CompletionContext } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState, Text } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { cel } from '../../../../renderer/components/code/cel-language.ts';
import { CEL_FUNCTIONS, CEL_METHODS } from '../../../../renderer/components/code/cel-names.ts';
import { completeCel, completeJson } from '../../../../renderer/components/code/completions.ts';
import { diagnosticOf } from '../../../../renderer/components/code/mistake-range.ts';
import { FUNCTIONS } from '../../../../shared/model/cel/functions.ts';
import { METHODS } from '../../../../shared/model/cel/methods.ts';

const fields = () => ['createdAt', 'plan', 'meta.at'];

/** Returns the completions at `|`. */
function offered(text: string, language: 'cel' | 'json'): string[] {
  const pos = text.indexOf('|');
  const state = EditorState.create({
    doc: text.replace('|', ''),
    extensions: language === 'cel' ? cel : json(),
  });
  ensureSyntaxTree(state, state.doc.length);
  const complete = language === 'cel' ? completeCel(fields) : completeJson(fields);
  return complete(new CompletionContext(state, pos, false))?.options.map(({ label }) => label) ?? [];
}

describe('completion of CEL', () => {
  it('offers the functions and methods of the engine [D8]', () => {
    expect(Object.keys(CEL_FUNCTIONS).toSorted()).toEqual(Object.keys(FUNCTIONS).toSorted());
    expect(CEL_METHODS.toSorted()).toEqual(Object.keys(METHODS).toSorted());
  });

  it('offers fields after doc, methods after another dot, and functions elsewhere', () => {
    expect(offered('doc.pl|', 'cel')).toEqual(expect.arrayContaining(['plan', 'meta.at', 'startsWith']));
    expect(offered('updatedAt.|', 'cel')).toContain('getHours');
    expect(offered('updatedAt.|', 'cel')).not.toContain('plan');
    expect(offered('1 + dur|', 'cel')).toEqual(expect.arrayContaining(['duration', 'updatedAt']));
    expect(offered('1 + |', 'cel')).toEqual([]);
  });
});

describe('completion of JSON', () => {
  it('offers fields as names, and not as values', () => {
    expect(offered('{"pl|"}', 'json')).toEqual(['createdAt', 'plan']);
    expect(offered('{"plan": "fr|"}', 'json')).toEqual([]);
    expect(offered('{"plan": {"a|": 1}}', 'json')).toEqual(['createdAt', 'plan']);
  });
});

describe('the marked part of a mistake', () => {
  const text = Text.of(['doc.a +', '  duratoin("1h")']);
  const markedAt = (line: number, column: number | null) => {
    const { from, to } = diagnosticOf(text, { line, column, message: '' });
    return text.sliceString(from, to);
  };

  it('is the word at the column, or the line', () => {
    expect(markedAt(2, 3)).toBe('duratoin');
    expect(markedAt(1, null)).toBe('doc.a +');
  });

  it('stays within the text', () => {
    expect(markedAt(9, 99)).toBe('');
    expect(markedAt(0, 7)).toBe('+');
  });
});

import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { snippetCompletion } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import { CEL_FUNCTIONS, CEL_METHODS, CEL_VARIABLES } from './cel-names.ts';

type Source = (context: CompletionContext) => CompletionResult | null;

const call = (name: string, detail: string): Completion =>
  snippetCompletion(`${name}(\${})`, { label: name, detail: `(${detail})`, type: 'function' });

const FUNCTIONS = Object.entries(CEL_FUNCTIONS).map(([name, detail]) => call(name, detail));
const METHODS = CEL_METHODS.map(name => call(name, ''));
const VARIABLES = CEL_VARIABLES.map((label): Completion => ({ label, type: 'variable' }));

/** Fields after `doc.`, methods after another dot, otherwise functions and variables. */
export function completeCel(fields: () => readonly string[]): Source {
  return context => {
    const path = context.matchBefore(/\bdoc\.[\w.]*/);
    if (path !== null) {
      const options = fields().map((label): Completion => ({ label, type: 'property' }));
      return { from: path.from + 'doc.'.length, options: [...options, ...METHODS], validFor: /^[\w.]*$/ };
    }
    const method = context.matchBefore(/\.\w*/);
    if (method !== null) return { from: method.from + 1, options: METHODS, validFor: /^\w*$/ };
    const word = context.matchBefore(/\w+/);
    if (word === null && !context.explicit) return null;
    return { from: word?.from ?? context.pos, options: [...FUNCTIONS, ...VARIABLES], validFor: /^\w*$/ };
  };
}

/** Completes names of fields, in a string that is a property name. */
export function completeJson(fields: () => readonly string[]): Source {
  return context => {
    const { name, from, parent } = syntaxTree(context.state).resolveInner(context.pos, -1);
    const isName = name === 'PropertyName' || (name === 'String' && parent?.name === 'Object');
    if (!isName) return null;
    const options = fields()
      .filter(field => !field.includes('.'))
      .map((label): Completion => ({ label, type: 'property' }));
    return { from: from + 1, options, validFor: /^\w*$/ };
  };
}

import { isCollection, LineCounter, parseDocument, stringify, visit } from 'yaml';
import { SandglassError } from './errors.ts';

/**
 * Parses YAML, of which JSON is a part. Throws INVALID_FILE with the line of the first error. Aliases are refused: a few
 * lines of them expand to gigabytes. So are keys that are lists or maps: JSON has none, and the parser prints a warning for each.
 */
export function parseYaml(text: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    prettyErrors: true,
    uniqueKeys: true,
    logLevel: 'error',
    lineCounter: lines,
  });
  const [error] = document.errors;
  if (error !== undefined) throw invalid(firstLine(error.message));
  visit(document, {
    Pair: (_, { key }) => {
      if (!isCollection(key)) return;
      const { line } = lines.linePos(key.range?.[0] ?? 0);
      throw invalid(`A key is a text, not a list or a map, at line ${line}.`);
    },
  });
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (problem) {
    if (problem instanceof ReferenceError) throw invalid('Aliases (*name) are not accepted.');
    throw problem;
  }
}

export function formatYaml(value: unknown): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });
}

function invalid(reason: string): SandglassError {
  return new SandglassError('INVALID_FILE', `The text is no valid YAML or JSON. ${reason}`);
}

function firstLine(message: string): string {
  return message.split('\n')[0]?.replace(/:$/, '.') ?? message;
}

import { fieldSourceReader, type ReferenceTimeReader } from '../field-source-reader.ts';
import type { TtlSource } from '../ttl-index.ts';
import { compileDeadlineExpression } from './deadline-expression.ts';

export type { ReferenceTimeReader };

/**
 * Returns a function that reads a document's reference time under `source`; it is prepared once, and called per
 * document. Throws INVALID_TTL_INDEX for an expression that does not compile.
 */
export function referenceTimeReader(source: TtlSource): ReferenceTimeReader {
  switch (source.kind) {
    case 'field':
      return fieldSourceReader(source);
    case 'lastModified':
      return (_, updatedAt) => ({ at: updatedAt });
    case 'expression': {
      const expression = compileDeadlineExpression(source.expression);
      return (document, updatedAt) => expression.read(document, updatedAt);
    }
  }
}

import { ORPCError } from '@orpc/client';
import type { ProcedureMeta } from '../../../shared/contract/procedure-builder.ts';
import { PROCEDURES } from '../../../shared/contract/procedure-facts.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { LARGEST_DOCUMENT_BYTES } from '../../../shared/model/names.ts';
import { LARGEST_BODY_BYTES } from '../../../shared/model/transport/body-limits.ts';
import { type Caller, checkPermission } from '../../engine/access/caller.ts';
import { type LargeCall, SMALL_MESSAGE_BYTES } from '../../host/local-socket/large-messages.ts';
import { permissionRefusal } from '../authentication/refusal-log.ts';

/**
 * Largest message of a page, bytes: one document, with room for the paths of its integers beyond 2^53. Lower than the
 * body of a REST request, since a message is received and parsed in one piece.
 */
export const LARGEST_PAGE_MESSAGE_BYTES = 1.5 * LARGEST_DOCUMENT_BYTES;
const LARGEST_BYTES = { ...LARGEST_BODY_BYTES, documents: LARGEST_PAGE_MESSAGE_BYTES };

/** `documents.write` with one document; arrays and NDJSON begin with another character. */
const ONE_DOCUMENT = /"b":\{"json":\{(?:"(?:params|query)":\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\},)*"body":\{/;

export type Procedures = ReadonlyMap<string, ProcedureMeta>;

export interface LargeCallOptions {
  /** Called with the reason if the caller does not have the required permission. */
  onDenied(reason: string): void;
  /** By default those of the contract. */
  procedures?: Procedures;
}

/**
 * Returns the error of a call that is not parsed: PERMISSION_DENIED [P1], PAYLOAD_TOO_LARGE beyond the limit of its
 * procedure and for many documents at once, NOT_FOUND for an unknown procedure. Returns undefined for a call that may
 * be parsed.
 */
export function refusalOfLargeCall(
  { procedure, bytes, head }: LargeCall,
  caller: Caller,
  { onDenied, procedures = PROCEDURES }: LargeCallOptions,
): ORPCError<string, unknown> | undefined {
  const meta = procedures.get(procedure);
  if (meta === undefined)
    return new ORPCError('NOT_FOUND', { message: `There is no procedure named ${procedure}.` });
  try {
    checkPermission(caller, meta.permission, procedure.split('.'));
  } catch (error) {
    if (!(error instanceof SandglassError)) throw error;
    onDenied(permissionRefusal(caller, meta.permission, procedure.split('.')));
    const { code, status, message, data } = error;
    return new ORPCError(code, { status, message, data });
  }
  const limitBytes = LARGEST_BYTES[meta.body ?? 'other'];
  if (bytes > limitBytes) return tooLarge(procedure, limitBytes);
  return procedure === 'documents.write' && !ONE_DOCUMENT.test(head)
    ? tooLarge(procedure, SMALL_MESSAGE_BYTES)
    : undefined;
}

function tooLarge(procedure: string, limitBytes: number): ORPCError<'PAYLOAD_TOO_LARGE', unknown> {
  return new ORPCError('PAYLOAD_TOO_LARGE', {
    message: `A message for ${procedure} has at most ${limitBytes} bytes on a socket. Import many documents, or send them to POST /api/collections/{collection}/documents, which reads them in parts.`,
    data: { limitBytes },
  });
}

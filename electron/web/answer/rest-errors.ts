import { ORPCError } from '@orpc/client';
import { z } from 'zod';
import { SandglassError } from '../../../shared/model/errors.ts';
import { RefusedBody } from './refused-body.ts';
import { type Failure, failureBody } from './response.ts';

/** Data of a validation error: [Standard Schema] issues, each with the path of its field. */
const refusedInput = z.object({
  issues: z
    .array(
      z.object({
        message: z.string(),
        path: z
          .array(z.union([z.string(), z.number(), z.object({ key: z.union([z.string(), z.number()]) })]))
          .optional(),
      }),
    )
    .min(1),
});

/** First step of a path in detailed inputs, which is not part of the caller's input. */
const PARTS = ['params', 'query', 'body'];

function fieldName(path: readonly (string | number | { key: string | number })[] = []): string {
  const keys = path.map(step => String(typeof step === 'object' ? step.key : step));
  return (PARTS.includes(keys[0] ?? '') ? keys.slice(1) : keys).join('.');
}

/** Converts an error of the engine to a REST failure; a validation error names its fields. */
function toFailure(error: ORPCError<string, unknown>): Failure {
  const { code, status, message, data } = error;
  const refused = code === 'BAD_REQUEST' ? refusedInput.safeParse(data) : undefined;
  if (!refused?.success) return { status, code, message, data };
  const problems = refused.data.issues.map(issue => ({
    field: fieldName(issue.path),
    message: issue.message,
  }));
  return {
    status,
    code,
    message: problems
      .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
      .join('; '),
    data: { problems },
  };
}

export function restErrorBody(error: ORPCError<string, unknown>): object {
  return failureBody(toFailure(error));
}

export function failureOf({ status, code, message, data }: SandglassError): Failure {
  return { status, code, message, data };
}

/** Converts an expected error to a REST failure. Returns undefined for a defect. */
export function expectedFailure(error: unknown): Failure | undefined {
  if (error instanceof RefusedBody) return error.failure;
  if (error instanceof SandglassError) return failureOf(error);
  return error instanceof ORPCError ? toFailure(error) : undefined;
}

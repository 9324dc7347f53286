import { ERROR_STATUS } from '../../../shared/model/errors.ts';
import { LARGEST_DOCUMENT_BYTES } from '../../../shared/model/names.ts';
import type { Failure } from './response.ts';

/** A request body that is refused, with the response. */
export class RefusedBody extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** 413. */
export function tooLarge(limitBytes: number): RefusedBody {
  return new RefusedBody({
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    message: `The body is larger than the ${limitBytes} bytes that this route accepts. Send many documents as application/x-ndjson, which is streamed.`,
    data: { limitBytes },
  });
}

/** 400. */
export function badBody(message: string): RefusedBody {
  return new RefusedBody({ status: ERROR_STATUS.BAD_REQUEST, code: 'BAD_REQUEST', message });
}

/** 413. */
export function documentTooLarge(): RefusedBody {
  return new RefusedBody({
    status: ERROR_STATUS.DOCUMENT_TOO_LARGE,
    code: 'DOCUMENT_TOO_LARGE',
    message: `A document is larger than ${LARGEST_DOCUMENT_BYTES} bytes of JSON. Nothing was written.`,
    data: { limitBytes: LARGEST_DOCUMENT_BYTES },
  });
}

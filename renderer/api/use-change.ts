import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { Declined } from './confirm-production-write.ts';

/** A mutation of the store. Reset after a declined confirmation, which is not a failure. */
export function useChange<Answer, Input = void>(
  options: UseMutationOptions<Answer, Error, Input>,
): UseMutationResult<Answer, Error, Input> {
  const change = useMutation(options);
  const { error, reset } = change;
  const isDeclined = error instanceof Declined;
  useLayoutEffect(() => {
    if (isDeclined) reset();
  }, [isDeclined, reset]);
  return change;
}

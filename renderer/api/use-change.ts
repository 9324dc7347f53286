import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { Declined } from './production.ts';

/**
 * A mutation of the store. Where production asked and the person did not want it after all, it is as if it had not been
 * begun: nothing failed, and the screen stays as it was.
 */
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

import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ConnectionTest, TestedTarget } from '../../../shared/contract/connections.ts';
import { connectionsClient, useChange } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import classes from './connections.module.css';
import { TestResult } from './TestResult.tsx';

type Test = UseMutationResult<ConnectionTest, Error, TestedTarget>;

/** A test of a target, which changes nothing. `reset` drops the result when the target changes. */
export function useConnectionTest(): Test {
  return useChange({ mutationFn: (target: TestedTarget) => connectionsClient().test(target) });
}

interface AddressFieldProps {
  label: string;
  placeholder?: string;
  value: string;
  problem: string | undefined;
  /** Explains the field while there is no result of a test. */
  children: ReactNode;
  test: Test;
  autoFocus?: boolean;
  onTest: () => void;
  onChange: (value: string) => void;
  onBlur: () => void;
}

/** A file or an address with a button that tests it, and the result below. */
export function AddressField(props: AddressFieldProps) {
  const { label, placeholder, value, problem, children, test, autoFocus = false } = props;
  const { onTest, onChange, onBlur } = props;
  return (
    <TextInput
      className={classes.connectionFile ?? ''}
      classNames={{ input: 'mono' }}
      label={label}
      data-autofocus={autoFocus || undefined}
      placeholder={placeholder}
      value={value}
      inputContainer={input => (
        <span className="row">
          {input}
          <Button busy={test.isPending} onClick={onTest}>{t`Test`}</Button>
        </span>
      )}
      descriptionProps={{ component: 'div' }}
      description={
        problem === undefined && <TestResult test={test.isIdle ? null : test}>{children}</TestResult>
      }
      error={problem}
      onBlur={onBlur}
      onChange={event => onChange(event.target.value)}
    />
  );
}

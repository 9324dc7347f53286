import type { ReactNode } from 'react';
import type { ConnectionTest } from '../../../shared/contract/connections.ts';
import { problemOf } from '../../api.ts';
import { Icon, type IconName } from '../../components/controls/Icon.tsx';
import { formatTest, type TestWords } from './format-connection.ts';

const ICON: Record<TestWords['tone'], IconName> = { good: 'check', info: 'info', bad: 'err' };
const CLASS: Record<TestWords['tone'], string> = { good: 'c-ok', info: 'c-accent', bad: 'c-overdue' };

interface TestResultProps {
  /** Null: not tested. */
  test: { data: ConnectionTest | undefined; error: Error | null } | null;
  /** Shown until then. */
  children: ReactNode;
}

/** The result of a test, below the field. */
export function TestResult({ test, children }: TestResultProps) {
  const words = wordsOf(test);
  return (
    <p className={words === null ? 'hint' : 't-12'} role="status">
      {words === null ? (
        children
      ) : (
        <>
          <Icon name={ICON[words.tone]} size={12} className={CLASS[words.tone]} />{' '}
          <span className="wrap">{words.text}</span>
        </>
      )}
    </p>
  );
}

function wordsOf(test: TestResultProps['test']): TestWords | null {
  if (test === null) return null;
  if (test.error !== null) return { tone: 'bad', text: problemOf(test.error).message };
  return test.data === undefined ? null : formatTest(test.data);
}

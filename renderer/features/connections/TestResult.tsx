import type { ReactNode } from 'react';
import type { ConnectionTest } from '../../../shared/contract/connections.ts';
import { problemOf } from '../../api.ts';
import { Icon, type IconName } from '../../components/controls/Icon.tsx';
import { type FormattedTest, formatTest } from './format-connection.ts';

const ICON: Record<FormattedTest['tone'], IconName> = { good: 'check', info: 'info', bad: 'err' };
const CLASS: Record<FormattedTest['tone'], string> = { good: 'c-ok', info: 'c-accent', bad: 'c-overdue' };

interface TestResultProps {
  /** Null: not tested. */
  test: { data: ConnectionTest | undefined; error: Error | null } | null;
  /** Shown while there is no result. */
  children: ReactNode;
}

/** The result of a test, below the field. */
export function TestResult({ test, children }: TestResultProps) {
  const result = formatOutcome(test);
  return (
    <div role="status">
      <p className={result === null ? 'hint' : 't-12'}>
        {result === null ? (
          children
        ) : (
          <>
            <Icon name={ICON[result.tone]} size={12} className={CLASS[result.tone]} />{' '}
            <span className="wrap">{result.text}</span>
          </>
        )}
      </p>
      {result?.warnings?.map(text => (
        <p key={text} className="t-12">
          <Icon name="warn" size={12} className="c-soon" /> <span className="wrap">{text}</span>
        </p>
      ))}
    </div>
  );
}

function formatOutcome(test: TestResultProps['test']): FormattedTest | null {
  if (test === null) return null;
  if (test.error !== null) return { tone: 'bad', text: problemOf(test.error).message };
  return test.data === undefined ? null : formatTest(test.data);
}

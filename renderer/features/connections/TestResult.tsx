import type { ConnectionTest } from '../../../shared/contract/connections.ts';
import { problemOf } from '../../api.ts';
import { Icon, type IconName } from '../../components/Icon.tsx';
import { type TestWords, testWords } from './words.ts';

const ICON: Record<TestWords['tone'], IconName> = { good: 'check', info: 'info', bad: 'err' };
const CLASS: Record<TestWords['tone'], string> = { good: 'c-ok', info: 'c-accent', bad: 'c-overdue' };

interface TestResultProps {
  /** Undefined: nothing was tested, or it is under way. */
  result: ConnectionTest | undefined;
  error: Error | null;
}

/** What was found, where the test was asked for. Its place is kept, so that nothing jumps. */
export function TestResult({ result, error }: TestResultProps) {
  const words: TestWords | null =
    error !== null
      ? { tone: 'bad', text: problemOf(error).message }
      : result === undefined
        ? null
        : testWords(result);
  return (
    <p className="connection-test t-12" role="status">
      {words !== null && (
        <>
          <Icon name={ICON[words.tone]} size={14} className={CLASS[words.tone]} />
          <span className="wrap">{words.text}</span>
        </>
      )}
    </p>
  );
}

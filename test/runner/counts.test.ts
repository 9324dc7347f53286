import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { playwrightCounts, vitestCounts } from '../support/counts.mjs';

function report(content: unknown): string {
  const file = join(mkdtempSync(join(tmpdir(), 'sandglass-counts-')), 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

describe('the count at the end of npm test', () => {
  it('takes passed and failed from each runner’s report', () => {
    const unit = report({ numPassedTests: 7, numFailedTests: 2, testResults: [] });
    expect(vitestCounts(unit, 1)).toEqual({ passed: 7, failed: 2 });
    const window = report({ stats: { expected: 5, unexpected: 1, flaky: 1 } });
    expect(playwrightCounts(window, 1)).toEqual({ passed: 6, failed: 1 });
  });

  it('counts a file that does not load as a failure', () => {
    const testResults = [{ status: 'failed', assertionResults: [] }];
    const unit = report({ numPassedTests: 7, numFailedTests: 0, testResults });
    expect(vitestCounts(unit, 1)).toEqual({ passed: 7, failed: 1 });
  });

  it('never counts a runner as passed that ended with an error or left no report', () => {
    const unit = report({ numPassedTests: 7, numFailedTests: 0, testResults: [] });
    expect(vitestCounts(unit, 1)).toEqual({ passed: 7, failed: 1 });
    expect(vitestCounts('/no/such', 0)).toEqual({ passed: 0, failed: 1 });
    expect(playwrightCounts('/no/such', 0)).toEqual({ passed: 0, failed: 1 });
  });
});

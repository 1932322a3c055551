// The last line of a test run, from the report of vitest.

/**
 * Counts the results of a run. A file that could not be loaded has no tests, and counts as failed; so does an error
 * outside of tests, which only the exit status reports.
 *
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, testResults: { status: string, assertionResults: { status: string }[] }[] }} report
 * @param {number} status - the exit status of vitest
 * @returns {string}
 */
export function countResults(report, status) {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = report
  const broken = testResults.filter(
    (file) =>
      file.status === 'failed' && !file.assertionResults.some((each) => each.status === 'failed'),
  ).length
  const failed = numFailedTests + broken
  const counts = `${numPassedTests} passed, ${failed} failed, ${numPendingTests} skipped`
  if (broken > 0) return `${counts} (${broken} failed outside of tests)`
  if (status !== 0 && failed === 0)
    return `${numPassedTests} passed, ${numPendingTests} skipped; the run failed: see above`
  return counts
}

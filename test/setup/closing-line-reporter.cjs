const { writeFileSync } = require('node:fs');

/** Leaves the counts of a run for the command that started it, which prints the closing line. */
class ClosingLineReporter {
  onRunComplete(_contexts, results) {
    const file = process.env.TEST_RESULT_FILE;
    if (!file) return;
    // A file that does not even load has failed, though it counts no test.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const counts = { passed: results.numPassedTests, failed };
    writeFileSync(file, JSON.stringify(counts));
  }
}

module.exports = ClosingLineReporter;

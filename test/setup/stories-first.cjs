// On a bare machine Jest knows no durations and orders by size of file: what takes minutes came
// last.
const { default: Sequencer } = require('@jest/test-sequencer');

/** Where the specs are that take longest, the longest first. */
const LONG = [
  '/test/browser/',
  '/test/stories/torture.',
  '/test/stories/kills.',
  '/test/commands/',
  '/test/simulator/',
  '/test/stories/',
];
/** Short specs stay for the end: workers that have done all else share them. */
const LAST = 60;

function rank({ path }) {
  const place = LONG.findIndex((folder) => path.replaceAll('\\', '/').includes(folder));
  return place === -1 ? LONG.length : place;
}

/**
 * Stories wait for processes more than they compute, and are held to times: beside short specs
 * they leave no processor idle, and no other story takes theirs.
 */
function spread(long, short) {
  const each = Math.max(0, Math.floor((short.length - LAST) / Math.max(1, long.length)));
  const spread = long.flatMap((one, at) => [one, ...short.slice(at * each, (at + 1) * each)]);
  return [...spread, ...short.slice(long.length * each)];
}

module.exports = class StoriesFirst extends Sequencer {
  async sort(tests) {
    const sorted = (await super.sort(tests)).toSorted((one, two) => rank(one) - rank(two));
    const browsers = sorted.filter((one) => rank(one) === 0);
    const long = sorted.filter((one) => rank(one) > 0 && rank(one) < LONG.length);
    const short = sorted.filter((one) => rank(one) === LONG.length);
    return [...browsers, ...spread(long, short)];
  }
};

// On a bare machine Jest knows no durations and orders by size of file: what takes minutes came
// last.
const { default: Sequencer } = require('@jest/test-sequencer');

/** Folders whose specs take longest, the longest first. */
const LONG = ['/test/browser/', '/test/commands/', '/test/simulator/', '/test/stories/'];

function rank({ path }) {
  const place = LONG.findIndex((folder) => path.replaceAll('\\', '/').includes(folder));
  return place === -1 ? LONG.length : place;
}

module.exports = class StoriesFirst extends Sequencer {
  async sort(tests) {
    return (await super.sort(tests)).toSorted((one, two) => rank(one) - rank(two));
  }
};

import { searchTerms } from './search-terms.js';

const ID = '0197C000-0000-7000-8000-000000000001';

test.each([
  ['nails', { words: "'nails':*" }],
  ['Nails & Co.', { words: "'nails':* & 'co':*" }],
  ["o'neil@shop-one.example", { words: "'o':* & 'neil':* & 'shop':* & 'one':* & 'example':*" }],
  ['wUe9', { words: "'wue9':*", keyEnd: 'wUe9' }],
  ['inv-00', { words: "'inv':* & '00':*", numberStart: 'INV-00' }],
  [
    '117',
    {
      words: "'117':*",
      numbers: ['INV-000117', 'CN-000117', 'TEST-INV-000117', 'TEST-CN-000117'],
    },
  ],
  [ID, { id: ID.toLowerCase() }],
  [
    '0197c000-0000',
    {
      words: "'0197c000':* & '0000':*",
      ids: ['0197c000-0000-0000-0000-000000000000', '0197c000-0000-ffff-ffff-ffffffffffff'],
    },
  ],
  ['&|!', { words: "'|':*" }],
  ["&'!", { words: "'&':* & '''':* & '!':*" }],
  ['\u200d\u200d', {}],
])('%j can be %j', (text, found) => {
  const nothing = {
    id: null,
    ids: null,
    words: '',
    numbers: [],
    numberStart: null,
    keyEnd: null,
  };
  expect(searchTerms(text)).toEqual({ ...nothing, ...found });
});

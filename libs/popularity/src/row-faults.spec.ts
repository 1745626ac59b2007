import { faultText } from './fault.js';
import { readRelease } from './read-release.js';
import * as files from './release-files.suite.js';

const { GOOD_FILES, id, releaseDirectory } = files;

/** Words of the table below and what they stand for in the files. */
const WORDS: Readonly<Record<string, string>> = {
  ROOT: files.ROOT,
  SKIN: files.SKIN,
  FACE: files.FACE,
  SERUMS: files.SERUMS,
  SERUM: files.SERUM,
  ACNE: files.ACNE,
  BRAND: files.BRAND,
  /** The brand's id, written in capitals. */
  CAPITALS: files.BRAND.toUpperCase(),
  NEW: id('c5', 9),
  /** A UUID as faults show it. */
  EXAMPLE: '6f9619ff-8b86-4d01-b42d-00c04fc964ff',
  LONG65: 'x'.repeat(65),
  LONG80: 'x'.repeat(80),
  LONG501: 'x'.repeat(501),
};

/** A row that is put at the end of a good file, and what is said about it after its line. */
const TABLE = String.raw`
relations  | ACNE,concerns,ACNE,x       | has 4 fields, not 3
volumes    | ACNE,us,2026-08-01,1,2     | has 5 fields, not 6
volumes    | ACNE;us;2026-08-01;1;2;3   | has 1 field, not 6
volumes    | ACNE,u"s,2026-08-01,1,2,3  | a quote stands inside a field
brands     | BRAND,"Orla,SKIN           | a quoted field does not end
categories | 12,cat5,More,more,SERUMS,  | id: "12" is not a UUID like EXAMPLE
categories | ,cat5,More,more,SERUMS,    | id: "" is not a UUID like EXAMPLE
categories | ACNE,cat5,More,more,SERUMS,| id: "ACNE" stands on line 6 already
categories | NEW,cat6,More,more,SERUMS, | level: "cat6" is not one of cat1, cat2, cat3, cat4, cat5
categories | NEW,cat5, ,more,SERUMS,    | label: is empty
categories | NEW,cat5,${'\u3164'},more,SERUMS, | label: shows no character
categories | NEW,cat5,"a\nb",more,SERUMS, | label: "a\nb" holds a control character
brands     | NEW,LONG501,FACE           | label: "LONG80…" is longer than 500 characters
categories | NEW,cat5,More,More,SERUMS, | slug: "More" is not 1 to 200 of a-z, 0-9 and -
categories | NEW,cat5,More,,SERUMS,     | slug: "" is not 1 to 200 of a-z, 0-9 and -
categories | NEW,cat5,More,acne,SERUMS, | slug: "acne" is the slug of the cat5 on line 6 already
categories | NEW,cat1,More,more,ROOT,   | parent_id: "ROOT", but a cat1 has no parent
categories | NEW,cat3,More,more,,       | parent_id: is empty, but a cat3 has a parent
categories | NEW,cat5,More,more,FACE,   | parent_id: "FACE" is a cat3, not a cat4
categories | NEW,cat5,More,more,BRAND,  | parent_id: "BRAND" is no category
categories | NEW,cat5,More,more,serums, | parent_id: "serums" is not a UUID like EXAMPLE
categories | NEW,cat5,M,more,SERUMS,LONG65 | life_cycle: "LONG65" is longer than 64 characters
brands     | BRAND,Orlo,SKIN            | label: "Orlo" is not "Orla", the brand's label on line 2
brands     | BRAND,Orla,FACE            | category_id: the brand has this category already
brands     | BRAND,Orla,NEW             | category_id: "NEW" is no category
brands     | BRAND,Orla,face            | category_id: "face" is not a UUID like EXAMPLE
brands     | ACNE,Orla,FACE             | id: "ACNE" is the id of a category already
relations  | ACNE,Concerns,ACNE         | group: "Concerns" is not 1 to 64 of a-z, 0-9 and -
relations  | ACNE,LONG65,ACNE           | group: "LONG65" is not 1 to 64 of a-z, 0-9 and -
relations  | ACNE,,ACNE                 | group: "" is not 1 to 64 of a-z, 0-9 and -
relations  | SERUMS,concerns,ACNE       | category_id: "SERUMS" is a cat4, not a cat5
relations  | ACNE,concerns,NEW          | related_id: "NEW" is no category
relations  | ACNE,concerns,BRAND        | related_id: "BRAND" is no category
relations  | SERUM,concerns,ACNE        | related_id: this relation stands on line 2 already
volumes    | SERUMS,us,2026-10-01,1,1,1 | item_id: "SERUMS" is a cat4, not a cat5
volumes    | NEW,us,2026-10-01,1,1,1    | item_id: "NEW" is no category and no brand
volumes    | acne,us,2026-10-01,1,1,1   | item_id: "acne" is not a UUID like EXAMPLE
volumes    | ACNE,de,2026-10-01,1,1,1   | region: "de" is not one of us, gb, fr, kr, jp, global
volumes    | ACNE,US,2026-10-01,1,1,1   | region: "US" is not one of us, gb, fr, kr, jp, global
volumes    | ACNE,gb,2026-13-01,1,1,1   | month: "2026-13-01" is not a month like 2015-07-01
volumes    | ACNE,gb,2026-00-01,1,1,1   | month: "2026-00-01" is not a month like 2015-07-01
volumes    | ACNE,gb,2026-10-02,1,1,1   | month: "2026-10-02" is not a month like 2015-07-01
volumes    | ACNE,gb,2026-10,1,1,1      | month: "2026-10" is not a month like 2015-07-01
volumes    | ACNE,gb,1026-10-01,1,1,1   | month: "1026-10-01" is not from 1900 to 2199
volumes | ACNE,us,2026-09-01,1,1,1 | month: the item has 2026-09-01 in this region on line 2 already
volumes | ACNE,us,2026-10-01,1,1,1 | month: the item has 2026-10-01 in this region on line 3 already
volumes | CAPITALS,global,2026-10-01,1,1,1 | month: the item has 2026-10-01 in this region on line 4 already
volumes    | ACNE,gb,2026-10-01,-0.5,1,1 | google: "-0.5" is negative
volumes    | ACNE,gb,2026-10-01,1,1.00001,1 | tiktok: "1.00001" has more than 4 decimals
volumes    | ACNE,gb,2026-10-01,1,1,    | instagram: "" is not a number like 1234.5
volumes    | ACNE,gb,2026-10-01,1e3,1,1 | google: "1e3" is not a number like 1234.5
volumes    | ACNE,gb,2026-10-01,NaN,1,1 | google: "NaN" is not a number like 1234.5
volumes    | ACNE,gb,2026-10-01,1.,1,1  | google: "1." is not a number like 1234.5
volumes    | ACNE,gb,2026-10-01, 1,1,1  | google: " 1" is not a number like 1234.5
volumes    | ACNE,gb,2026-10-01,"1,5",1,1 | google: "1,5" is not a number like 1234.5
volumes    | ACNE,gb,2026-10-01,900719925475,1,1 | google: "900719925475" is above 900719925474
`;

const CASES = TABLE.trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trimEnd()));

function spelled(text: string): string {
  return text.replace(/[A-Z]+(\d+)?/g, (word) => WORDS[word] ?? word);
}

describe('a fault of a row is reported with its file, line and column:', () => {
  it.each(CASES)('%s | %s | %s', async (name = '', row = '', reason = '') => {
    const file = `${name.trim()}.csv` as keyof typeof GOOD_FILES;
    const good = GOOD_FILES[file];
    const bad = spelled(row.slice(1)).replaceAll('\\n', '\n');
    const { directory, remove } = await releaseDirectory({
      ...GOOD_FILES,
      [file]: `${good}${bad}\n`,
    });
    const outcome = await readRelease(directory);
    await remove();
    const faults = outcome.outcome === 'faulty' ? outcome.faults.map(faultText) : [];
    const line = good.split('\n').length;
    expect(faults).toEqual([`${file}:${line}: ${spelled(reason.slice(1))}`]);
  });
});

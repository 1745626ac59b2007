import type { ParameterFault } from '#web/parameter-fault.js';
import { entityTag, readIfMatch } from './entity-tag.js';

function read(header: string | undefined): readonly number[] | undefined | 'wrong' {
  const faults: ParameterFault[] = [];
  const versions = readIfMatch(header, faults);
  return faults.length > 0 ? 'wrong' : versions;
}

describe('If-Match', () => {
  it.each<[string | undefined, readonly number[] | undefined | 'wrong']>([
    [undefined, undefined],
    ['*', undefined],
    [' * ', undefined],
    [entityTag(12), [12]],
    ['"12", "13"', [12, 13]],
    ['"12",, "13",', [12, 13]],
    // What no account ever had, and what is weak, matches nothing.
    ['"012"', []],
    ['"a,b"', []],
    ['""', []],
    ['W/"12"', []],
    ['W/"12", "13"', [13]],
    ['"99999999999999999999"', []],
    ['', 'wrong'],
    [',', 'wrong'],
    ['12', 'wrong'],
    ['"12', 'wrong'],
    ['"12" "13"', 'wrong'],
    ['w/"12"', 'wrong'],
    ['*, "12"', 'wrong'],
  ])('%j means the versions %j', (header, versions) => {
    expect(read(header)).toEqual(versions);
  });

  it('that is wrong is named as a parameter', () => {
    const faults: ParameterFault[] = [];
    readIfMatch('12', faults);
    expect(faults).toMatchObject([{ in: 'header', name: 'If-Match', value: '12' }]);
  });
});

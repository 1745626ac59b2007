import type { ParameterFault } from '#web/parameter-fault.js';
import { entityTag, readIfMatch } from './entity-tag.js';

function read(header: string | undefined): readonly string[] | undefined | 'wrong' {
  const faults: ParameterFault[] = [];
  const versions = readIfMatch(header, faults);
  return faults.length > 0 ? 'wrong' : versions;
}

describe('If-Match', () => {
  it.each<[string | undefined, readonly string[] | undefined | 'wrong']>([
    [undefined, undefined],
    ['*', undefined],
    [' * ', undefined],
    [entityTag(12), ['"12"']],
    ['"12", "13"', ['"12"', '"13"']],
    ['"12",, "13",', ['"12"', '"13"']],
    ['"a,b"', ['"a,b"']],
    // What is weak is no validator that anything has.
    ['W/"12", "13"', ['W/"12"', '"13"']],
    ['', 'wrong'],
    [',', 'wrong'],
    ['12', 'wrong'],
    ['"12', 'wrong'],
    ['"12" "13"', 'wrong'],
    ['w/"12"', 'wrong'],
    ['*, "12"', 'wrong'],
  ])('%j means the validators %j', (header, validators) => {
    expect(read(header)).toEqual(validators);
  });

  it('that is wrong is named as a parameter', () => {
    const faults: ParameterFault[] = [];
    readIfMatch('12', faults);
    expect(faults).toMatchObject([{ in: 'header', name: 'If-Match', value: '12' }]);
  });
});

import type { Address } from './invoice.js';
import { addressLines, requiredParts } from './postal-addresses.js';

test.each([
  ['DE', ['line1', 'city', 'postcode', 'country']],
  ['US', ['line1', 'city', 'postcode', 'country']],
  ['HK', ['line1', 'country']],
  ['AE', ['line1', 'country']],
  ['IE', ['line1', 'city', 'country']],
  ['IS', ['line1', 'city', 'country']],
  ['QA', ['line1', 'city', 'country']],
  ['MC', ['line1', 'city', 'country']],
  ['VA', ['line1', 'city', 'country']],
  ['SG', ['line1', 'postcode', 'country']],
  ['GI', ['line1', 'country']],
  [undefined, ['line1', 'city', 'country']],
  ['France', ['line1', 'city', 'country']],
])('an address in %s needs %j', (country, parts) => {
  expect(requiredParts(country)).toEqual(parts);
});

const LINE = { line1: '1 Road' };

test.each<[Address, string[]]>([
  [
    { ...LINE, line2: 'Floor 3', city: 'Wien', postcode: '1010', country: 'AT' },
    ['Floor 3', '1010 Wien'],
  ],
  [{ ...LINE, city: 'Dubai', country: 'AE' }, ['Dubai']],
  [{ ...LINE, postcode: '049483', country: 'SG' }, ['049483']],
  [
    { ...LINE, city: 'Austin', postcode: '78701', region: 'TX', country: 'US' },
    ['Austin, TX 78701'],
  ],
  [{ ...LINE, city: 'Austin', postcode: '78701', country: 'US' }, ['Austin 78701']],
  [
    { ...LINE, city: 'Ottawa', postcode: 'K1A 0B1', region: 'ON', country: 'CA' },
    ['Ottawa ON K1A 0B1'],
  ],
  [{ ...LINE, city: 'Leeds', postcode: 'LS1 1AA', country: 'GB' }, ['Leeds', 'LS1 1AA']],
  [{ ...LINE, city: 'Auckland', postcode: '1010', country: 'NZ' }, ['Auckland 1010']],
  [
    { ...LINE, city: 'Milano', postcode: '20121', region: 'MI', country: 'IT' },
    ['20121 Milano, MI'],
  ],
  [{ ...LINE, region: 'Kowloon', country: 'HK' }, ['Kowloon']],
  [{ ...LINE, city: '', postcode: '', region: '', country: 'HK' }, []],
  [{ ...LINE, country: 'HK' }, []],
])('%j is printed as in its country, without empty lines and stray commas', (address, lines) => {
  expect(addressLines(address)).toEqual(['1 Road', ...lines]);
});

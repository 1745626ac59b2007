import { vatIdFault } from './vat-check-digits.js';

// Numbers of companies and of documentation; one of each form that a country gives.
const RIGHT = [
  'ATU12345675 BE0428759497 BG175074752 CY10259033P CZ25123891 DE136695976 DK13585628 EE100931558',
  'EL094259216 ESA13585625 ES54362315K ESX2482300W FI20774740 FR40303265045 FRK7399859412',
  'GB980780684 XI980780684 HR33392005961 HU12892312 IE6433435F IE6433435OA IT00743110157',
  'LT119511515 LT100001919017 LU15027442 LV40003521600 MT11679112 NL004495445B01 NL123456789B13',
  'PL8567346215 PT501964843 RO18547290 SE556012579001 SI50223054 SK2022749619',
].flatMap((line) => line.split(' '));

test.each(RIGHT)('%s is right', (id) => {
  expect(vatIdFault(id)).toBeUndefined();
});

test.each(RIGHT)('%s is wrong with another digit', (id) => {
  const digits = Array.from(id.matchAll(/\d/g), ({ index }) => index);
  const faults = digits.map((at) =>
    vatIdFault(`${id.slice(0, at)}${(Number(id[at]) + 1) % 10}${id.slice(at + 1)}`),
  );
  expect(faults).toContain(
    `This is no VAT identifier of ${id.slice(0, 2)}: its check digits do not fit`,
  );
});

test.each([
  ['ATU12345678', 'check digits do'],
  ['ATU99999999', 'check digits do'],
  ['DE123456789', 'check digits do'],
  ['AT12345675', 'length or form does'],
  ['DE12345678', 'length or form does'],
])('%s is no VAT identifier: its %s not fit', (id, part) => {
  expect(vatIdFault(id)).toContain(part);
});

test.each(['CHE-123.456.788 MWST', 'NO974760673MVA', 'IS12345', 'US-1'])(
  '%s is not of a country whose rule is known',
  (id) => {
    expect(vatIdFault(id)).toBeUndefined();
  },
);

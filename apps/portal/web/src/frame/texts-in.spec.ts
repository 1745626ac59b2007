import { textsIn } from './texts-in.js';

test('members of an address are texts, also where they look like numbers or flags', () => {
  const search = { label: 'Acme', id: 12, test: true, none: '', list: ['a'], other: 'x' };
  expect(textsIn('label', 'id', 'test', 'none', 'list', 'absent')(search)).toEqual({
    label: 'Acme',
    id: '12',
    test: 'true',
    none: undefined,
    list: undefined,
    absent: undefined,
  });
});

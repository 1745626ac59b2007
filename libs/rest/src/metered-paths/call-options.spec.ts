import type { ParameterFault } from '#web/parameter-fault.js';
import { readCallOptions } from './call-options.js';

function read(headers: Record<string, string | string[]>) {
  const faults: ParameterFault[] = [];
  return { options: readCallOptions(headers, faults), faults };
}

describe('the headers of a call', () => {
  it('ask for nothing when there are none', () => {
    const { options, faults } = read({});
    expect(options).toEqual({
      idempotencyKey: null,
      maxCredits: null,
      receipt: false,
      tags: null,
    });
    expect(faults).toEqual([]);
  });

  it.each([
    ['idempotency-key', 'a', { idempotencyKey: 'a' }],
    ['idempotency-key', '!~"{}', { idempotencyKey: '!~"{}' }],
    ['idempotency-key', 'x'.repeat(255), { idempotencyKey: 'x'.repeat(255) }],
    ['credits-max', '0', { maxCredits: 0 }],
    ['credits-max', '010', { maxCredits: 10 }],
    ['credits-max', '9007199254740991', { maxCredits: Number.MAX_SAFE_INTEGER }],
    ['credits-tag', 'team=nails', { tags: { team: 'nails' } }],
    [
      'credits-tag',
      ' team = nails , project=autumn',
      { tags: { team: 'nails', project: 'autumn' } },
    ],
    ['credits-tag', 'a=1,b=2,c=3,d=4,e=5', { tags: { a: '1', b: '2', c: '3', d: '4', e: '5' } }],
    ['credits-tag', 'a_-9=A z_.-9', { tags: { 'a_-9': 'A z_.-9' } }],
    ['credits-tag', 'constructor=x', { tags: { constructor: 'x' } }],
    [
      'credits-tag',
      `${'n'.repeat(32)}=${'v'.repeat(64)}`,
      { tags: { ['n'.repeat(32)]: 'v'.repeat(64) } },
    ],
    ['credits-tag', ['a=1', 'b=2'], { tags: { a: '1', b: '2' } }],
  ])('%s: %s is taken', (name, value, expected) => {
    const { options, faults } = read({ [name]: value });
    expect(faults).toEqual([]);
    expect(options).toMatchObject(expected);
  });

  it.each([
    ['Idempotency-Key', ''],
    ['Idempotency-Key', 'a b'],
    ['Idempotency-Key', 'a, b'],
    ['Idempotency-Key', 'é'],
    ['Idempotency-Key', 'x'.repeat(256)],
    ['Credits-Max', ''],
    ['Credits-Max', '-1'],
    ['Credits-Max', '+1'],
    ['Credits-Max', '1.5'],
    ['Credits-Max', '1e3'],
    ['Credits-Max', '0x10'],
    ['Credits-Max', 'ten'],
    ['Credits-Max', '10, 10'],
    ['Credits-Max', '9007199254740992'],
    ['Credits-Max', '99999999999999999999'],
    ['Credits-Tag', ''],
    ['Credits-Tag', 'team'],
    ['Credits-Tag', 'team='],
    ['Credits-Tag', 'team= '],
    ['Credits-Tag', '=nails'],
    ['Credits-Tag', 'Team=nails'],
    ['Credits-Tag', 'team=na/ils'],
    ['Credits-Tag', 'team=nails,'],
    ['Credits-Tag', 'team=a, team=b'],
    ['Credits-Tag', 'a=1,b=2,c=3,d=4,e=5,f=6'],
    ['Credits-Tag', `${'n'.repeat(33)}=v`],
    ['Credits-Tag', `n=${'v'.repeat(65)}`],
    ['Credits-Tag', '__proto__=x, __proto__=y'],
  ])('%s: %s is a fault', (name, value) => {
    const { faults } = read({ [name.toLowerCase()]: value });
    expect(faults).toMatchObject([{ in: 'header', name, value }]);
  });

  it('name all faults at once', () => {
    const { faults } = read({ 'idempotency-key': ' ', 'credits-max': 'x', 'credits-tag': 'x' });
    expect(faults.map(({ name }) => name)).toEqual([
      'Idempotency-Key',
      'Credits-Max',
      'Credits-Tag',
    ]);
  });
});

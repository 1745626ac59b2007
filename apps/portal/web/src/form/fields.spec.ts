import { ADDRESS } from '../account/party-fields.js';
import { bodyOf, labelOf, valuesOf, type Field } from './fields.js';

const PARTY: readonly Field[] = [
  { name: 'name', label: 'Name' },
  { name: 'address/city', label: 'City' },
  { name: 'address/line2', label: 'Line 2' },
  { name: 'fee', label: 'Fee', kind: 'money', currency: 'EUR' },
  { name: 'limit', label: 'Limit', kind: 'number', nullable: true },
  { name: 'thresholds', label: 'Alert at', kind: 'numbers' },
];

describe('the body that a form stands for', () => {
  it('holds each field at its place and leaves out what is empty', () => {
    const body = bodyOf(PARTY, { name: ' Glow ', 'address/city': 'Wien', 'address/line2': ' ' });
    expect(body).toEqual({ name: 'Glow', address: { city: 'Wien' }, limit: null });
  });

  it('sends money in minor units of its currency', () => {
    expect(bodyOf(PARTY, { fee: 49.9 })).toMatchObject({ fee: 4990 });
    const yen: Field = { name: 'fee', label: 'Fee', kind: 'money', currency: 'JPY' };
    expect(bodyOf([yen], { fee: 4900 })).toEqual({ fee: 4900 });
  });

  it('never rounds money by the error of a float', () => {
    expect(bodyOf(PARTY, { fee: 1.15 })).toMatchObject({ fee: 115 });
    expect(bodyOf(PARTY, { fee: 8.2 })).toMatchObject({ fee: 820 });
  });

  it('sends what is no number as it was typed, for the service to refuse at its field', () => {
    expect(bodyOf(PARTY, { thresholds: ['50', 'most'] })).toMatchObject({
      thresholds: [50, 'most'],
    });
  });

  it('says a local moment in UTC', () => {
    const until: Field = { name: 'expires_at', label: 'Until', kind: 'moment' };
    const { expires_at: at } = bodyOf([until], { expires_at: '2026-12-01T10:00' });
    expect(at).toBe(new Date('2026-12-01T10:00').toISOString().replace('.000Z', 'Z'));
  });
});

describe('the values of what exists', () => {
  it('become the same body again', () => {
    const body = {
      name: 'Glow',
      address: { city: 'Wien' },
      fee: 4990,
      limit: null,
      thresholds: [5],
    };
    expect(bodyOf(PARTY, valuesOf(PARTY, body))).toEqual(body);
  });
});

test.each<[string, string[]]>([
  ['', ['Postcode', 'City']],
  ['France', ['Postcode', 'City']],
  ['FR', ['Postcode', 'City']],
  ['IE', ['Postcode (optional)', 'City']],
  ['SG', ['Postcode', 'City (optional)']],
  ['HK', ['Postcode (optional)', 'City (optional)']],
])('an address in %j says what may be empty: %j', (country, expected) => {
  const labels = ADDRESS.map((field) => labelOf(field, { 'address/country': country }));
  expect(labels.filter((label) => /^(?:Postcode|City)/.test(label))).toEqual(expected);
});

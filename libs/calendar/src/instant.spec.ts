import fc from 'fast-check';
import { formatInstant, formatMoment, parseInstant } from './instant.js';

const AT = Date.UTC(2026, 10, 24);

describe('an instant as text', () => {
  it('shows a boundary without decimals', () => {
    expect(formatInstant(AT)).toBe('2026-11-24T00:00:00Z');
  });

  it('never hides milliseconds that are there', () => {
    expect(formatInstant(AT + 7)).toBe('2026-11-24T00:00:00.007Z');
  });

  it('shows a moment with three decimals', () => {
    expect(formatMoment(AT - 1)).toBe('2026-11-23T23:59:59.999Z');
    expect(formatMoment(AT)).toBe('2026-11-24T00:00:00.000Z');
  });

  it.each([
    ['2026-11-24T00:00:00Z', AT],
    ['2026-11-24t00:00:00z', AT],
    ['2026-11-24T00:00:00.000Z', AT],
    ['2026-11-24T01:00:00+01:00', AT],
    ['2026-11-23T19:00:00-05:00', AT],
    ['2026-11-24T05:45:00.25+05:45', AT + 250],
    ['2026-11-24T00:00:00-00:00', AT],
    ['2026-11-24T00:00:00.123999999Z', AT + 123],
    ['1990-01-01T00:00:00Z', Date.UTC(1990, 0, 1)],
    ['2200-12-31T23:59:59.999Z', Date.UTC(2201, 0, 1) - 1],
    ['2024-02-29T12:00:00Z', Date.UTC(2024, 1, 29, 12)],
  ])('reads %s', (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it.each([
    '',
    '2026-11-24',
    '2026-11-24T00:00:00',
    '2026-11-24 00:00:00Z',
    '2026-11-24T00:00Z',
    '2026-11-24T24:00:00Z',
    '2026-11-24T23:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-02-29T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-24T00:00:00.Z',
    '2026-11-24T00:00:00.1234567890Z',
    '2026-11-24T00:00:00,5Z',
    '2026-11-24T00:00:00+0100',
    '2026-11-24T00:00:00+24:00',
    '2026-11-24T00:00:00+01:60',
    '1989-12-31T23:59:59Z',
    '1990-01-01T00:30:00+01:00',
    '2201-01-01T00:00:00Z',
    '+002026-11-24T00:00:00Z',
    '1795478400000',
    ' 2026-11-24T00:00:00Z',
    '2026-11-24T00:00:00Z\n',
    'Tue, 24 Nov 2026 00:00:00 GMT',
  ])('refuses %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('comes back from both of its forms', () => {
    const instants = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2201, 0, 1) - 1 });
    fc.assert(
      fc.property(instants, (instant) => {
        expect(parseInstant(formatInstant(instant))).toBe(instant);
        expect(parseInstant(formatMoment(instant))).toBe(instant);
      }),
    );
  });
});

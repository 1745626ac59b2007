import { packagesOf, packagesText } from './packages-text.js';

const PACKAGES = [
  { name: 'Starter: small', credits: 100_000, price: 120_050, currency: 'USD' },
  { name: 'Big', credits: 1_000_000, price: 9_000, currency: 'JPY' },
];

test('packages are typed one a line, and read as they were written', () => {
  const text = packagesText(PACKAGES);
  expect(text).toBe('Starter: small: 100,000 for 1200.50 USD\nBig: 1,000,000 for 9000 JPY');
  expect(packagesOf(text)).toEqual(PACKAGES);
  expect(packagesOf('S: 5000 credits for 1,200 USD\n\n')).toEqual([
    { name: 'S', credits: 5_000, price: 120_000, currency: 'USD' },
  ]);
});

test('a line that is no package is sent as it was typed', () => {
  expect(packagesOf('Big 5 USD')).toEqual(['Big 5 USD']);
  const part = 'Big: 5 for 1.005 USD';
  expect(packagesOf(part)).toEqual([part]);
});

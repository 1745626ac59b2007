import { isEndpoint, isEndpointScheme, isPeppolAddress } from './electronic-addresses.js';

test.each([
  ['0088', true, true],
  ['9930', true, true],
  ['0219', true, false],
  ['EM', true, false],
  ['9999', false, false],
  ['', false, false],
])('%j is a scheme: %p, of Peppol: %p', (scheme, isListed, isOfPeppol) => {
  expect(isEndpointScheme(scheme)).toBe(isListed);
  expect(isPeppolAddress({ scheme, id: 'x' })).toBe(isOfPeppol);
});

test.each([
  ['0007', '5560360793', '5560360794'],
  ['0088', '5790000436057', '5790000436058'],
  ['0096', '1234567890', '123456789'],
  ['0151', '51824753556', '51824753557'],
  ['0184', 'DK12345678', 'DE12345678'],
  ['0192', '974760673', '974760674'],
  ['0198', 'DK12345678', '12345678'],
  ['0208', '0202239951', '0202239952'],
  ['EM', 'a@b.example', 'b.example'],
])('an address of the scheme %s is %s and not %s', (scheme, sound, wrong) => {
  expect(isEndpoint({ scheme, id: sound })).toBe(true);
  expect(isEndpoint({ scheme, id: wrong })).toBe(false);
});

test('others have no form that is known', () => {
  expect(isEndpoint({ scheme: '0204', id: '991-12345-67' })).toBe(true);
  expect(isEndpoint({ scheme: '0000', id: '991-12345-67' })).toBe(false);
});

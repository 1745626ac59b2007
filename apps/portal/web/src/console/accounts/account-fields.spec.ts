import { z } from 'zod';
import { buyerBody, sellerBody } from '#invoicing/party.body.js';
import { BUYER_ADDRESS } from '../../account/party-fields.js';
import { bodyOf, valuesOf } from '../../form/fields.js';
import { SELLER } from '../invoices/seller-fields.js';
import { BUYER, changedMetadata, TERMS } from './account-fields.js';

/** Places in a body: `address/city`. */
function placesIn({ properties }: z.core.JSONSchema.BaseSchema, before = ''): string[] {
  return Object.entries(properties ?? {}).flatMap(([name, schema]) =>
    typeof schema === 'object' && schema.properties !== undefined
      ? placesIn(schema, `${before}${name}/`)
      : [`${before}${name}`],
  );
}

/** Agreed with operators: the portal keeps them as they are. */
const AGREED = /^(?:tax\/|purchases$)/;

// A change replaces the whole: a member without a field would be lost by it.
test.each([
  ['of a seller', sellerBody, SELLER, /^$/],
  ['of billing details', buyerBody, BUYER, /^$/],
  ['of billing details in the portal', buyerBody, BUYER_ADDRESS, AGREED],
])('the form %s has a field for each member', (_name, body, fields, others) => {
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
  const places = placesIn(schema).filter((place) => !others.test(place));
  expect(fields.map(({ name }) => name).toSorted()).toEqual(places.toSorted());
});

test('metadata that is no longer in the form is named, as the service removes it', () => {
  const body = bodyOf(TERMS, { metadata: ['crm=47=11', 'team=nails'], receipts: false });
  expect(body).toMatchObject({ metadata: { crm: '47=11', team: 'nails' }, receipts: false });
  expect(changedMetadata({ crm: '1', old: 'x' }, { crm: '2' })).toEqual({ crm: '2', old: null });
  expect(changedMetadata({ old: 'x' })).toEqual({ old: null });
  expect(valuesOf(TERMS, { metadata: { crm: '4711' } })['metadata']).toEqual(['crm=4711']);
});

import type { z } from 'zod';
import { RESOURCES } from '../resources.js';
import { NOTIFICATION_BODIES } from '../webhooks/notification-document.js';
import { LogEvent } from '../whole-log/whole-log.schemas.js';
import EXAMPLES from './examples.json' with { type: 'json' };
import { examplesOf } from './examples.js';

/** Schemas of bodies and of answers; that of a list is the one of its items. */
const schemas = RESOURCES.flatMap(({ operations }) => operations)
  .flatMap(({ body, answer: { schema } }) => [body, schema])
  .concat(LogEvent, Object.values(NOTIFICATION_BODIES))
  .flatMap((schema) => (schema ? [itemOf(schema)] : []));

function itemOf(schema: z.ZodType): z.ZodType {
  const { items } = (schema as z.ZodObject).shape ?? {};
  const isList = schema.meta()?.id?.endsWith('List') === true;
  return isList ? (items as z.ZodArray<z.ZodType>).element : schema;
}

test.each(Object.keys(EXAMPLES))('the examples of %s keep its schema', (name) => {
  const schema = schemas.find((one) => one.meta()?.id === name);
  expect(schema).toBeDefined();
  for (const example of examplesOf(schema as z.ZodType)) {
    expect(schema?.safeParse(example).error).toBeUndefined();
  }
});

test.each(['Invoice', 'CreditNote', 'InvoiceDraft'] as const)(
  'the example of %s adds up, at the rate of a sale within Austria',
  (name) => {
    for (const { net, tax, total, tax_breakdown: rows, seller, buyer } of EXAMPLES[name]) {
      expect([seller.address.country, buyer.address.country]).toEqual(['AT', 'AT']);
      expect(rows).toEqual([
        { category: 'S', rate_percent: 20, taxable: net, tax: Math.round(net / 5) },
      ]);
      expect(total).toBe(net + tax);
      expect(tax).toBe(rows[0]?.tax);
    }
  },
);

test('every body and every answer has an example', () => {
  const without = schemas.filter((schema) => examplesOf(schema).length === 0);
  expect(without.map((schema) => schema.meta()?.id)).toEqual([]);
});

import { AmountOutOfRangeError } from '#invoice-rules/money.js';
import type { InvoiceReads } from '#projections/views/invoice-reads.js';
import { Invoices } from './invoices.js';

async function draftThatFails(error: Error): Promise<unknown> {
  const reads = { draft: () => Promise.reject(error) } as unknown as InvoiceReads;
  return new Invoices(reads).draft('account-1');
}

test('a month that no invoice can show is reported as such, and any other fault is none of its own', async () => {
  await expect(
    draftThatFails(new AmountOutOfRangeError('The total', 2n ** 60n)),
  ).rejects.toMatchObject({
    problem: {
      slug: 'conflict',
      detail:
        'The month cannot be invoiced: The total is 1152921504606846976: more than a safe integer holds.',
    },
  });
  const fault = new Error('The database is away.');
  await expect(draftThatFails(fault)).rejects.toBe(fault);
});

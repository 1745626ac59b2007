import type { FastifyReply, FastifyRequest } from 'fastify';
import { AmountOutOfRangeError } from '#billing/money.js';
import { InvoiceAnswers } from './invoice-answers.js';
import type { InvoiceReads } from './invoice-reads.js';

function draftThatFails(error: Error): Promise<void> {
  const reads = { draft: () => Promise.reject(error) } as unknown as InvoiceReads;
  const answers = new InvoiceAnswers(reads, null);
  return answers.draft({} as FastifyRequest, {} as FastifyReply, 'account-1');
}

test('a month that no invoice can show is told as such, and any other fault is none of its own', async () => {
  await expect(
    draftThatFails(new AmountOutOfRangeError('The total', 2n ** 60n)),
  ).rejects.toMatchObject({
    problem: {
      slug: 'conflict',
      detail:
        'The month cannot be invoiced. The total is 1152921504606846976: more than a safe integer holds.',
    },
  });
  const fault = new Error('The database is away.');
  await expect(draftThatFails(fault)).rejects.toBe(fault);
});

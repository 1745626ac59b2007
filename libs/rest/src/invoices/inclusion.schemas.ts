import { z } from 'zod';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** A proof that a call is one of an invoice's. */
export const CallInclusion = z
  .strictObject({
    invoice_number: z.string(),
    call_id: z.uuid(),
    account_head: hash.meta({
      description:
        'Of the account’s chain after the call, as its receipt says: the data of the leaf.',
    }),
    leaf_index: z.int().min(0).meta({ description: 'Among the calls of the month, from 0 on.' }),
    count: z.int().min(1).meta({ description: 'Leaves of the tree: `calls_tree.count`.' }),
    path: z.array(hash).meta({ description: 'The audit path of RFC 6962, from the leaf up.' }),
    root: hash.meta({ description: '`calls_tree.root` of the invoice.' }),
  })
  .meta({
    id: 'CallInclusion',
    description:
      'A proof that a call is one of the calls of an invoice. It can be checked without the ' +
      'service, with the call’s receipt and the invoice.',
    examples: [
      {
        invoice_number: 'INV-000001',
        call_id: '0197c2aa-0000-7000-8000-000000000001',
        account_head: HASH,
        leaf_index: 1,
        count: 2,
        path: ['96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7'],
        root: '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
      },
    ],
  });

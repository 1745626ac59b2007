import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';

const LENGTH_MIN = 2;
const LENGTH_MAX = 200;

/** The query of a search. */
export const SearchQuery = z.strictObject({
  q: z
    .string()
    .trim()
    .min(LENGTH_MIN)
    .max(LENGTH_MAX)
    .meta({
      description:
        'Beginnings of words of a name, an external id or an e-mail address; an id of an account, a ' +
        'call or an API key, or at least its first eight characters; the number of a document, or ' +
        'its digits; the last four characters of an API key.',
      example: 'nails',
    }),
});

/** Something that fits a search. */
export const SearchHit = z
  .strictObject({
    type: z
      .enum(['account', 'member', 'api_key', 'call', 'invoice', 'credit_note'])
      .meta({ id: 'FoundType' }),
    id: z
      .uuid()
      .meta({ description: 'Its id; of an invoice or a credit note that of the document.' }),
    account_id: z.uuid(),
    account_name: z.string().nullable().meta({ description: 'Null: erased.' }),
    text: z.string().meta({
      description:
        'What it is known by: a name, an e-mail address, the number of a document, the path that was ' +
        'called, or the last four characters of an API key.',
    }),
    detail: z.string().nullable().meta({
      description:
        'What else it was found by, or when it was: an external id, a date. Null: nothing.',
    }),
  })
  .meta({ id: 'Found' });
export type SearchHit = Frozen<z.output<typeof SearchHit>>;

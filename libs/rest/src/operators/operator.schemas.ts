import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';
import { AdminRole } from '../operation/role.js';

/** A person who has signed in to the console with the company account. */
export const Operator = z
  .strictObject({
    id: z.uuid().meta({ description: 'Names the person in the audit.' }),
    name: z.string().nullable(),
    email: z.string().nullable(),
    role: AdminRole.meta({ description: 'At the last sign-in.' }),
    signed_in_at: z.iso.datetime(),
  })
  .meta({
    id: 'Operator',
    examples: [
      {
        id: '019a9c3e-5d1f-8c3a-8f0e-2b7d6f1a4c57',
        name: 'Nadja Novak',
        email: 'nadja@example.com',
        role: 'billing',
        signed_in_at: '2026-11-21T12:00:00.000Z',
      },
    ],
  });
export type Operator = Frozen<z.output<typeof Operator>>;

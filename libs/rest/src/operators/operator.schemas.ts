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
  .meta({ id: 'Operator' });
export type Operator = Frozen<z.output<typeof Operator>>;

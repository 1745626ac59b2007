import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';

/** How people get in, beside links and tokens. */
export const SignInWays = z
  .strictObject({
    oidc: z
      .string()
      .nullable()
      .meta({
        description:
          'Where a browser signs in with the company account; `?return_to=` is the page to come ' +
          'back to. Null: not here.',
      }),
    email: z.boolean().meta({
      description: 'Whether members may ask for a link by e-mail (`requestSignInLink`).',
    }),
  })
  .meta({ id: 'SignInWays' });
export type SignInWays = Frozen<z.output<typeof SignInWays>>;

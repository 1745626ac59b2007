import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';

const PATH_LENGTH_MAX = 8_000;
const PATH = '/v1/latest/cat1/trends/top5/popindex/us/beauty';

/** A metered call to make. */
export const Pull = z
  .strictObject({
    path: z
      .string()
      .max(PATH_LENGTH_MAX)
      .regex(/^\/v1\/[\x21-\x7e]*$/, `A path such as ${PATH}`),
    credits_max: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional().meta({
      description:
        'The most credits that the pull may cost; if it costs more, it is refused and free.',
    }),
  })
  .meta({ id: 'Pull' });
export type Pull = z.output<typeof Pull>;

export const PulledAnswer = z
  .strictObject({
    status: z.literal(200),
    call_id: z.uuid(),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'Headers as the public API sent them.' }),
    body: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The whole body that the public API returned.' }),
  })
  .meta({ id: 'Pulled' });
export type PulledAnswer = Frozen<z.output<typeof PulledAnswer>>;

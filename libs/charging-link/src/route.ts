import type { ProcessLink } from './process-link.js';

/**
 * A process that can be asked about an account now, if there is one. `avoided`: those that have
 * just answered the same request that they cannot decide.
 */
export type Route = (
  accountId: string,
  avoided?: ReadonlySet<ProcessLink>,
) => ProcessLink | undefined;

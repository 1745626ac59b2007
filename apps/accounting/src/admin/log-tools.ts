import type { RebuildState } from '../log-tools/rebuilds.js';
import type { VerificationState } from '../log-tools/verifications.js';

export const LOG_TOOLS = Symbol('log tools');

/** What operators start in the background and ask after. */
export interface LogTools {
  readonly rebuilds: {
    knows(name: string): boolean;
    start(name: string): 'started' | 'busy' | 'unknown';
    state(name: string): RebuildState | null;
  };
  readonly verifications: {
    start(): 'started' | 'busy';
    state(): VerificationState | null;
  };
}

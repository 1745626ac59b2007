import type { Projection } from '#event-log/projection.js';
import { ledgerProjection } from './ledger.projection.js';
import { windowsProjection } from './windows.projection.js';

/** Every projection that the service keeps. */
export const PROJECTIONS: readonly Projection[] = [ledgerProjection, windowsProjection];

import type { OpenApiDocument } from './openapi-document.js';
import type { Readiness } from './readiness.js';
import type { Telemetry } from './telemetry.js';

export const FOUNDATION = Symbol('foundation');

/** What the resources that every application serves need to know of it. */
export interface Foundation {
  readonly baseUrl: string;
  readonly readiness: Readiness;
  readonly document: OpenApiDocument;
  /** Without it there are no metrics. */
  readonly telemetry?: Telemetry | undefined;
}

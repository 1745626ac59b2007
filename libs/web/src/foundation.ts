import type { OpenApiDocument } from './openapi-document.js';
import type { Readiness } from './readiness.js';
import type { Telemetry } from './telemetry.js';

export const FOUNDATION = Symbol('foundation');

/** Facts about an application for the resources that every application serves. */
export interface Foundation {
  readonly baseUrl: string;
  /** Path of the page that `/` leads to; absent: the document's. */
  readonly home?: string;
  readonly readiness: Readiness;
  /** Made when it is first asked for: a start need not wait for it. */
  readonly document: () => OpenApiDocument;
  /** Without it there are no metrics. */
  readonly telemetry?: Telemetry | undefined;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MetricsAccess } from './metrics-access.js';

/** Is shown every request of a server as it arrives; `target`: path and query as sent. */
export type RequestObserver = (
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
) => void;

/** Metrics and traces of a process, for its operators. */
export interface Telemetry {
  readonly observe: RequestObserver;
  /** Counts a change. `outcome`: `made`, `replayed`, or the slug of the problem. */
  countChange(operation: string, outcome: string): void;
  readonly metricsAccess: MetricsAccess;
  /** All metrics of the process in the text format of Prometheus. */
  metricsText(): Promise<string>;
}

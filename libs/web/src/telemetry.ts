import type { IncomingMessage, ServerResponse } from 'node:http';

/** Is shown every request of a server as it arrives; `target`: path and query as sent. */
export type RequestObserver = (
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
) => void;

/** What a process tells of itself to those who operate it. */
export interface Telemetry {
  readonly observe: RequestObserver;
  /** METRICS_TOKEN; without one only this machine is told anything. */
  readonly metricsToken?: string | null;
  /** All metrics of the process in the text format of Prometheus. */
  metricsText(): Promise<string>;
}

import { propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Log } from '#web/log.js';
import type { Shutdown } from '#web/shutdown.js';
import type { RequestObserver } from '#web/telemetry.js';
import { routeGroup } from './metrics/route-group.js';

const SDK = '@opentelemetry/sdk-node';
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const;

/** The part of the package that is used; the service runs without it. */
interface Sdk {
  readonly NodeSDK: new (options: { readonly serviceName: string }) => {
    start(): void;
    shutdown(): Promise<void>;
  };
}

async function loadSdk(log: Log): Promise<Sdk | undefined> {
  try {
    return (await import(SDK)) as Sdk;
  } catch (error) {
    log.warn({ err: error, package: SDK }, 'No traces are sent: the package cannot be loaded.');
    return undefined;
  }
}

/**
 * Sends a trace of each request where an address for traces is set and OpenTelemetry's SDK, which
 * reads its settings itself, is installed beside the service. Undefined: no request is traced.
 */
export async function startTracing(
  serviceName: string,
  environment: Readonly<Record<string, string | undefined>>,
  log: Log,
  shutdown: Shutdown,
): Promise<RequestObserver | undefined> {
  if (ENDPOINTS.every((name) => (environment[name] ?? '') === '')) return undefined;
  const sdk = await loadSdk(log);
  if (sdk === undefined) return undefined;
  const running = new sdk.NodeSDK({ serviceName });
  running.start();
  shutdown.stop('the traces', () => running.shutdown());
  return traceRequests;
}

/** A span from the headers of a request to the end of its answer, below the caller's own. */
export function traceRequests(...[request, response, target]: Parameters<RequestObserver>): void {
  const { method = 'GET', headers } = request;
  const parent = propagation.extract(ROOT_CONTEXT, headers);
  const span = trace.getTracer('popindex').startSpan(
    `${method} ${routeGroup(method, target)}`,
    {
      kind: SpanKind.SERVER,
      // The query may hold what a customer calls things; the path names only what is sold.
      attributes: { 'http.request.method': method, 'url.path': target.split('?', 1)[0] ?? '' },
    },
    parent,
  );
  response.once('close', () => {
    span.setAttribute('http.response.status_code', response.statusCode);
    const isFault = response.statusCode >= 500 || !response.writableFinished;
    if (isFault) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
}

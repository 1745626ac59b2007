import type { RequestObserver } from '#web/telemetry.js';
import type { Distribution } from './distribution.js';
import type { Count } from './count.js';
import type { Metrics } from './metrics.js';
import { calledResource, routeGroup } from './route-group.js';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const TEST_KEY = 'Bearer pix_test_';

/** Metrics looked up for each request: by a short text, then by status. */
class ByStatus<Kept> {
  private readonly kept = new Map<string, Map<number, Kept>>();

  constructor(private readonly make: (name: string, status: number) => Kept) {}

  get(name: string, status: number): Kept {
    let statuses = this.kept.get(name);
    if (statuses === undefined) this.kept.set(name, (statuses = new Map()));
    let found = statuses.get(status);
    if (found === undefined) statuses.set(status, (found = this.make(name, status)));
    return found;
  }
}

/** `aborted`: the client went away before its answer was sent. */
function statusText(status: number): string {
  return status === 0 ? 'aborted' : String(status);
}

/** Counts metered calls, and measures every request from its headers to the end of its answer. */
export function observeHttp(metrics: Metrics): RequestObserver {
  const calls = metrics.counts(
    'popindex_calls_total',
    'GET requests of metered paths by resource and status of the answer.',
  );
  const durations = metrics.distributions(
    'popindex_http_request_duration_seconds',
    'From the headers of a request to the end of its answer.',
    SECONDS,
  );
  const durationOf = new ByStatus<Distribution>((group, status) =>
    durations.with({ group, status: statusText(status) }),
  );
  const counting = (test: string) =>
    new ByStatus<Count>((resource, status) =>
      calls.with({ resource, status: statusText(status), test }),
    );
  const live = counting('false');
  const test = counting('true');
  return (request, response, target) => {
    const startedAt = performance.now();
    // It comes once; `once` would cost a wrapper for each request.
    response.on('close', () => {
      const { method = '', headers } = request;
      const status = response.writableFinished ? response.statusCode : 0;
      const group = routeGroup(method, target);
      durationOf.get(group, status).observe((performance.now() - startedAt) / 1000);
      if (group !== 'metered') return;
      const counts = headers.authorization?.startsWith(TEST_KEY) === true ? test : live;
      counts.get(calledResource(target), status).value += 1;
    });
  };
}

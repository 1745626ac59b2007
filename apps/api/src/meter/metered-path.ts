import type { IncomingHttpHeaders } from 'node:http';
import { parseResourcePath } from '#rating/resource-path.js';
import type { Resource } from '#rating/resource.js';
import { invalidParameters, type ParameterFault } from '#web/parameter-fault.js';
import { NOTHING_HERE, type Problem } from '#web/problem.js';
import { queryFaults } from '#web/query.js';
import { pathOf } from '#web/request-target.js';
import { type CallOptions, readCallOptions } from './call-options.js';

/** A metered request whose path and headers are in order. */
export interface MeteredPath {
  /** The path as the client sent it, without a bare "?". */
  readonly asked: string;
  /** `latest` or the label of a window. */
  readonly window: string;
  readonly resource: Resource;
  readonly options: CallOptions;
}

export type MeteredPathOutcome =
  | { readonly outcome: 'path'; readonly path: MeteredPath }
  | { readonly outcome: 'refused'; readonly problem: Problem };

type Parsed = ReturnType<typeof parseResourcePath>;

const PATHS_MAX = 16_384;
/** Paths of resources as they were parsed: clients send the same ones again and again. */
const known = new Map<string, Parsed>();

function parsedPath(asked: string): Parsed {
  const kept = known.get(asked);
  if (kept !== undefined) return kept;
  const parsed = parseResourcePath(asked);
  if (parsed.outcome !== 'resource') return parsed;
  if (known.size >= PATHS_MAX) known.clear();
  known.set(asked, parsed);
  return parsed;
}

/** Reads a request target and the headers of a call; reports all faults at once. */
export function readMeteredPath(target: string, headers: IncomingHttpHeaders): MeteredPathOutcome {
  const asked = pathOf(target);
  const parsed = parsedPath(asked);
  if (parsed.outcome === 'not-found') {
    return refused(NOTHING_HERE);
  }
  const faults: ParameterFault[] = parsed.outcome === 'invalid' ? [...parsed.parameters] : [];
  if (asked.length < target.length) faults.push(...queryFaults(target));
  const options = readCallOptions(headers, faults);
  if (parsed.outcome === 'invalid' || faults.length > 0) return refused(invalidParameters(faults));
  return {
    outcome: 'path',
    path: { asked, window: parsed.window, resource: parsed.resource, options },
  };
}

function refused(found: Problem): MeteredPathOutcome {
  return { outcome: 'refused', problem: found };
}

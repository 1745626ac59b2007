import type { IncomingHttpHeaders } from 'node:http';
import { parseServedPath } from '#popularity/regions.js';
import { parseResourcePath } from '#rating/resource-path.js';
import type { Resource } from '#rating/resource.js';
import { invalidParameters, type ParameterFault } from '#web/parameter-fault.js';
import { nothingAt, type Problem } from '#web/problem.js';
import { queryFaults } from '#web/query.js';
import { pathOf } from '#web/request-target.js';
import { type CallOptions, NO_OPTIONS, readCallOptions } from './call-options.js';

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

type Read = Extract<MeteredPathOutcome, { outcome: 'path' }>;

const PATHS_MAX = 16_384;
/** Paths as they were read without options: clients send the same ones again and again. */
const known = new Map<string, Read>();

/** Reads a request target and the headers of a call; reports all faults at once. */
export function readMeteredPath(target: string, headers: IncomingHttpHeaders): MeteredPathOutcome {
  const wrong: ParameterFault[] = [];
  const options = readCallOptions(headers, wrong);
  const plain = known.get(target) ?? readPlain(target, wrong);
  if (plain.outcome === 'refused') return plain;
  if (wrong.length > 0) return refused(invalidParameters(wrong));
  if (options === NO_OPTIONS) return plain;
  const { asked, window, resource } = plain.path;
  return { outcome: 'path', path: { asked, window, resource, options } };
}

/** The refusal of a path that no metered resource has. */
export function noMeteredPath(path: string): Problem {
  return nothingAt(path, (other) => parseResourcePath(other).outcome !== 'not-found');
}

/** `more`: faults that are reported with those of the target. */
function readPlain(target: string, more: readonly ParameterFault[]): MeteredPathOutcome {
  const asked = pathOf(target);
  const parsed = parseServedPath(asked);
  if (parsed.outcome === 'not-found') return refused(noMeteredPath(asked));
  const faults: ParameterFault[] = parsed.outcome === 'invalid' ? [...parsed.parameters] : [];
  if (asked.length < target.length) faults.push(...queryFaults(target));
  if (parsed.outcome === 'invalid' || faults.length > 0) {
    return refused(invalidParameters([...faults, ...more]));
  }
  const { window, resource } = parsed;
  const read: Read = { outcome: 'path', path: { asked, window, resource, options: NO_OPTIONS } };
  if (known.size >= PATHS_MAX) known.clear();
  known.set(target, read);
  return read;
}

function refused(found: Problem): MeteredPathOutcome {
  return { outcome: 'refused', problem: found };
}

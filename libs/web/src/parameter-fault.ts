import { bodyPlaces } from './body.js';
import { type Problem, problem } from './problem.js';
import type { JsonFault } from './strict-json.js';

/** One wrong parameter of a request. `in`: path, query, header, or request for its bytes. */
export interface ParameterFault {
  readonly in: 'path' | 'query' | 'header' | 'request';
  readonly name: string;
  /** As sent, cut to a readable length; null when it is missing. */
  readonly value: string | null;
  readonly allowed?: readonly string[];
  readonly detail?: string;
}

const VALUE_LENGTH_MAX = 256;

/**
 * The problem that lists every wrong parameter of a request at once, and beside them in `errors`
 * what is wrong with its body.
 */
export function invalidParameters(
  faults: readonly ParameterFault[],
  errors: readonly JsonFault[] = [],
): Problem {
  const names = [...new Set(faults.map((fault) => `${fault.name} (${fault.in})`))];
  const places = [...names, ...(errors.length > 0 ? [bodyPlaces(errors)] : [])].join(', ');
  const isOne = faults.length === 1 && errors.length === 0;
  const detail = isOne ? `This parameter is wrong: ${places}.` : `Wrong: ${places}.`;
  const parameters = faults.map(readable).map(shorten);
  return problem('invalid-parameter', detail, {
    parameters,
    ...(errors.length > 0 && { errors }),
  });
}

/** Headers reach us byte by byte; what a client wrote in UTF-8 is shown as it was written. */
function readable(fault: ParameterFault): ParameterFault {
  if (fault.in !== 'header' || fault.value === null) return fault;
  const text = Buffer.from(fault.value, 'latin1').toString('utf8');
  return text.includes('\u{fffd}') ? fault : { ...fault, value: text };
}

function shorten(fault: ParameterFault): ParameterFault {
  if (fault.value === null || fault.value.length <= VALUE_LENGTH_MAX) return fault;
  return { ...fault, value: `${fault.value.slice(0, VALUE_LENGTH_MAX)}…` };
}

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
const FAULTS_MAX = 5;
const LENGTH_MAX = 600;
const FAULT_LENGTH_MAX = 400;
const QUOTED_LENGTH_MAX = 60;
const PLAIN_NAME = /^[\w.-]{1,60}$/;
/** A detail whose subject is the value. */
const OF_VALUE = /^This (?=must |is )/;
const MUST_BE_A = /^This must be (?=an? )/;

/**
 * The problem that lists every wrong parameter of a request at once, and beside them in `errors`
 * what is wrong with its body.
 */
export function invalidParameters(
  faults: readonly ParameterFault[],
  errors: readonly JsonFault[] = [],
): Problem {
  const parameters = faults.map(readable).map(shorten);
  return problem('invalid-parameter', faultsText(parameters, errors), {
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

/** The first faults of a request in sentences: of each what is wrong, and what would be right. */
export function faultsText(
  parameters: readonly ParameterFault[],
  errors: readonly JsonFault[],
): string {
  const texts = [...new Set([...parameters.map(parameterText), ...errors.map(bodyText)])];
  const shown: string[] = [];
  let length = 0;
  for (const text of texts) {
    length += text.length;
    if (shown.length > 0 && (shown.length === FAULTS_MAX || length > LENGTH_MAX)) break;
    shown.push(cut(text, FAULT_LENGTH_MAX));
  }
  const more = texts.length - shown.length;
  return [...shown, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}

function parameterText({ in: place, name, value, allowed, detail }: ParameterFault): string {
  if (place === 'request') return detail ?? `${name} is wrong.`;
  const label = PLAIN_NAME.test(name) ? name : quoted(name);
  const subject = value === null ? label : `${label}: ${quoted(value)}`;
  if (detail !== undefined) return sentenceOf(subject, label, detail);
  const list = (allowed ?? []).join(', ');
  return value === null
    ? `${label} is missing: one of ${list}.`
    : `${subject} is not one of ${list}.`;
}

function bodyText({ pointer, detail }: JsonFault): string {
  if (pointer === '') return OF_VALUE.test(detail) ? detail.replace('This', 'The body') : detail;
  return OF_VALUE.test(detail) ? detail.replace('This', pointer) : `${pointer}: ${detail}`;
}

/** `subject`: name and value. `label`: the name alone, for what is not said of the value. */
function sentenceOf(subject: string, label: string, detail: string): string {
  if (!OF_VALUE.test(detail)) return `${label}: ${detail}`;
  if (subject === label) return detail.replace('This', label);
  return detail.replace(MUST_BE_A, `${subject} is not `).replace(OF_VALUE, `${subject} `);
}

function quoted(text: string): string {
  return JSON.stringify(cut(text, QUOTED_LENGTH_MAX));
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

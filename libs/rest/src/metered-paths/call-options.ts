import type { IncomingHttpHeaders } from 'node:http';
import type { ParameterFault } from '#web/parameter-fault.js';

/** Options of a metered call, from its headers. */
export interface CallOptions {
  readonly idempotencyKey: string | null;
  /** Ceiling in credits. */
  readonly maxCredits: number | null;
  readonly tags: Readonly<Record<string, string>> | null;
  /** Whether the client prefers an answer with a receipt. */
  readonly receipt: boolean;
}

type Tags = Record<string, string>;

export const NO_OPTIONS: CallOptions = {
  idempotencyKey: null,
  maxCredits: null,
  tags: null,
  receipt: false,
};
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
const WHOLE_NUMBER = /^\d{1,16}$/;
/** One of the preferences of a list (RFC 7240); any that is not known is ignored. */
const RECEIPT = /(?:^|,)[ \t]*receipt[ \t]*(?:$|[,;])/i;
const TAGS_MAX = 5;
const A_TAG =
  'a pair such as team=nails: a name of 1 to 32 of a-z, 0-9, _ and -, and a value of 1 to 64 ' +
  'letters, digits, spaces, _, . and -';
const TAG = /^([a-z0-9_-]{1,32})[ \t]*=[ \t]*([A-Za-z0-9 _.-]{1,64})$/;

/**
 * Reads `Idempotency-Key`, `Credits-Max`, `Credits-Tag` and `Prefer`; adds what is wrong to
 * `faults`. A header that is sent twice reaches us joined by a comma: that is a list of tags or
 * preferences, and a fault elsewhere.
 */
export function readCallOptions(
  headers: IncomingHttpHeaders,
  faults: ParameterFault[],
): CallOptions {
  const idempotencyKey = headers['idempotency-key'];
  const maxCredits = headers['credits-max'];
  const tags = headers['credits-tag'];
  const { prefer } = headers;
  if (
    idempotencyKey === undefined &&
    maxCredits === undefined &&
    tags === undefined &&
    prefer === undefined
  ) {
    return NO_OPTIONS;
  }
  return {
    idempotencyKey: readIdempotencyKey(joined(idempotencyKey), faults),
    maxCredits: readMaxCredits(joined(maxCredits), faults),
    tags: readTags(joined(tags), faults),
    receipt: RECEIPT.test(joined(prefer) ?? ''),
  };
}

function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

function readIdempotencyKey(value: string | undefined, faults: ParameterFault[]): string | null {
  if (value === undefined) return null;
  if (IDEMPOTENCY_KEY.test(value)) return value;
  faults.push(
    fault('Idempotency-Key', value, 'This must be 1 to 255 visible ASCII characters, sent once.'),
  );
  return null;
}

function readMaxCredits(value: string | undefined, faults: ParameterFault[]): number | null {
  if (value === undefined) return null;
  const credits = Number(value);
  if (WHOLE_NUMBER.test(value) && Number.isSafeInteger(credits)) return credits;
  faults.push(
    fault('Credits-Max', value, 'This must be a whole number of credits, 0 or more, sent once.'),
  );
  return null;
}

function readTags(value: string | undefined, faults: ParameterFault[]): Tags | null {
  if (value === undefined) return null;
  // A prototype could be reached through a tag's name otherwise.
  const tags: Tags = Object.create(null) as Tags;
  const members = value.split(',').map((member) => member.trim());
  for (const member of members) {
    const [, name = '', text = ''] = TAG.exec(member) ?? [];
    if (name === '' || text.trim() === '') {
      faults.push(fault('Credits-Tag', value, `"${member}" is not ${A_TAG}.`));
      return null;
    }
    if (name in tags) {
      faults.push(fault('Credits-Tag', value, `The tag "${name}" is there twice.`));
      return null;
    }
    tags[name] = text;
  }
  if (members.length <= TAGS_MAX) return { ...tags };
  faults.push(fault('Credits-Tag', value, `There must be at most ${TAGS_MAX} tags.`));
  return null;
}

function fault(name: string, value: string, detail: string): ParameterFault {
  return { in: 'header', name, value, detail };
}

import { hash } from 'node:crypto';

/** The columns of an event that its hash vouches for. Lane and position are not among them. */
export interface HashedEvent {
  readonly accountId: string;
  readonly accountVersion: number;
  readonly callId: string | null;
  readonly type: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: number;
  /** The stored JSON text, byte for byte. */
  readonly data: string;
}

/** Whether two events are alike in all that their hashes vouch for. */
export function isSameEvent(one: HashedEvent, other: HashedEvent): boolean {
  return (
    one.accountId === other.accountId &&
    one.accountVersion === other.accountVersion &&
    one.callId === other.callId &&
    one.type === other.type &&
    one.at === other.at &&
    one.data === other.data
  );
}

export const HASH_BYTES = 32;
/** A head is written as 64 hex digits: a string of the heap costs far less than a small Buffer. */
export const HEAD_DIGITS = 2 * HASH_BYTES;
/** The head of an account or a lane before anything happened in it. */
export const FIRST_HEAD = '0'.repeat(HEAD_DIGITS);

const LENGTH_BYTES = 4;
const SCRATCH_BYTES = 4_096;
/** UTF-8 takes at most this many bytes for one UTF-16 unit. */
const BYTES_PER_UNIT_MAX = 3;

/** Lengths of short fields, as the bytes of strings. */
const LENGTHS = Array.from({ length: 256 }, (_, length) => String.fromCharCode(0, 0, 0, length));
/** Of types, of which there are few. */
const TYPES_MAX = 256;
const types = new Map<string, string>();

// Hashing is synchronous, so one buffer serves every event of the process.
let scratch = Buffer.allocUnsafe(SCRATCH_BYTES);

/**
 * The account's head after an event: SHA-256 over, in this order, the head before (32 bytes), the
 * account id, its version, the call id, the type, the moment and the data. Each field is preceded
 * by its length in bytes as an unsigned 32-bit big-endian number; all but the head are UTF-8 text,
 * numbers in decimal, UUIDs in lower case, and an absent call id is empty. Heads come and go as 64
 * hex digits.
 */
export function hashEvent(previousHead: string, event: HashedEvent): string {
  const { accountId, accountVersion, callId, type, at, data } = event;
  // One write for all short fields: each one costs more than what it writes.
  const fields =
    shortField(accountId) +
    shortField(accountVersion.toString()) +
    shortField(callId ?? '') +
    fieldOfType(type) +
    shortField(at.toString());
  const dataUnits = data.length * BYTES_PER_UNIT_MAX;
  const needed = 2 * LENGTH_BYTES + HASH_BYTES + fields.length + dataUnits;
  if (needed > scratch.length) scratch = Buffer.allocUnsafe(needed);
  let end = writeHead(0, previousHead);
  end += scratch.write(fields, end, 'latin1');
  const length = scratch.write(data, end + LENGTH_BYTES, 'utf8');
  scratch.writeUInt32BE(length, end);
  return hash('sha256', scratch.subarray(0, end + LENGTH_BYTES + length), 'hex');
}

/**
 * A lane's head after one append: SHA-256 over the head before and the hashes of the events, in
 * order, each preceded by its length as in `hashEvent`. It is also the hash of that batch.
 */
export function hashBatch(laneHead: string, eventHashes: readonly string[]): string {
  const needed = (LENGTH_BYTES + HASH_BYTES) * (eventHashes.length + 1);
  if (needed > scratch.length) scratch = Buffer.allocUnsafe(needed);
  let end = writeHead(0, laneHead);
  for (const head of eventHashes) end = writeHead(end, head);
  return hash('sha256', scratch.subarray(0, end), 'hex');
}

function writeHead(start: number, head: string): number {
  const bytes = scratch.write(head, start + LENGTH_BYTES, HASH_BYTES, 'hex');
  if (bytes !== HASH_BYTES || head.length !== HEAD_DIGITS) {
    throw new RangeError(`A head has ${HEAD_DIGITS} hex digits, not "${head}".`);
  }
  scratch.writeUInt32BE(HASH_BYTES, start);
  return start + LENGTH_BYTES + HASH_BYTES;
}

/** A field as the bytes of a string; ASCII of less than 256 characters. */
function shortField(text: string): string {
  return LENGTHS[text.length] + text;
}

function fieldOfType(type: string): string {
  const known = types.get(type);
  if (known !== undefined) return known;
  const bytes = Buffer.from(type, 'utf8');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  const field = length.toString('latin1') + bytes.toString('latin1');
  if (types.size < TYPES_MAX) types.set(type, field);
  return field;
}

/**
 * One-dimensional arrays in PostgreSQL's binary format. The driver sends a Buffer as it is, so a
 * column of a thousand rows costs neither quoting here nor parsing there, and JSON text arrives
 * byte for byte. Every call in the log passes through here, so it uses plain loops.
 */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const UUID_BYTES = 16;
const NULL_LENGTH = -1;
const UINT32_RANGE = 2 ** 32;
const POSTGRES_EPOCH = Date.UTC(2000, 0, 1);
const OID = { bytea: 17, int8: 20, int2: 21, text: 25, json: 114, timestamptz: 1184, uuid: 2950 };

export function int2Array(values: readonly number[]): Buffer {
  const buffer = allocate(OID.int2, values.length, false, values.length * 2);
  let offset = HEADER_BYTES;
  for (const value of values) {
    offset = buffer.writeInt32BE(2, offset);
    offset = buffer.writeInt16BE(value, offset);
  }
  return buffer;
}

/** Safe integers only. */
export function int8Array(values: readonly number[]): Buffer {
  const buffer = allocate(OID.int8, values.length, false, values.length * 8);
  let offset = HEADER_BYTES;
  for (const value of values) {
    offset = buffer.writeInt32BE(8, offset);
    offset = buffer.writeInt32BE(Math.floor(value / UINT32_RANGE), offset);
    offset = buffer.writeUInt32BE(value >>> 0, offset);
  }
  return buffer;
}

/**
 * Milliseconds since 1970, as `timestamptz`. Both halves are multiplied apart: from the year 2285
 * on the microseconds are no safe integers.
 */
export function momentArray(values: readonly number[]): Buffer {
  const buffer = allocate(OID.timestamptz, values.length, false, values.length * 8);
  let offset = HEADER_BYTES;
  for (const value of values) {
    const ms = value - POSTGRES_EPOCH;
    const high = Math.floor(ms / UINT32_RANGE);
    const low = (ms - high * UINT32_RANGE) * 1_000;
    offset = buffer.writeInt32BE(8, offset);
    offset = buffer.writeInt32BE(high * 1_000 + Math.floor(low / UINT32_RANGE), offset);
    offset = buffer.writeUInt32BE(low % UINT32_RANGE, offset);
  }
  return buffer;
}

/** Bytes written as hex digits. */
export function byteaArray(values: readonly string[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + value.length / 2, 0);
  const buffer = allocate(OID.bytea, values.length, false, bytes);
  let offset = HEADER_BYTES;
  for (const value of values) {
    offset = buffer.writeInt32BE(value.length / 2, offset);
    offset += buffer.write(value, offset, 'hex');
  }
  return buffer;
}

/** Bytes as they are. */
export function bytesArray(values: readonly Uint8Array[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + value.byteLength, 0);
  const buffer = allocate(OID.bytea, values.length, false, bytes);
  let offset = HEADER_BYTES;
  for (const value of values) {
    offset = buffer.writeInt32BE(value.byteLength, offset);
    buffer.set(value, offset);
    offset += value.byteLength;
  }
  return buffer;
}

/** UUIDs in lower case; null for none. */
export function uuidArray(values: readonly (string | null)[]): Buffer {
  const present = values.reduce((count, value) => (value === null ? count : count + 1), 0);
  const hasNull = present < values.length;
  const buffer = allocate(OID.uuid, values.length, hasNull, present * UUID_BYTES);
  let offset = HEADER_BYTES;
  for (const value of values) {
    offset = buffer.writeInt32BE(value === null ? NULL_LENGTH : UUID_BYTES, offset);
    if (value !== null) offset = writeUuid(buffer, value, offset);
  }
  return buffer;
}

export function textArray(values: readonly string[]): Buffer {
  return utf8Array(OID.text, values);
}

export function jsonArray(values: readonly string[]): Buffer {
  return utf8Array(OID.json, values);
}

function utf8Array(oid: number, values: readonly string[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + Buffer.byteLength(value), 0);
  const buffer = allocate(oid, values.length, false, bytes);
  let offset = HEADER_BYTES;
  for (const value of values) {
    const size = buffer.write(value, offset + LENGTH_BYTES, 'utf8');
    offset = buffer.writeInt32BE(size, offset) + size;
  }
  return buffer;
}

/** The hyphens stand before the 5th, 7th, 9th and 11th byte. */
function writeUuid(buffer: Buffer, uuid: string, start: number): number {
  let at = 0;
  for (let index = 0; index < UUID_BYTES; index += 1) {
    if (index === 4 || index === 6 || index === 8 || index === 10) at += 1;
    buffer[start + index] = (digit(uuid.charCodeAt(at)) << 4) | digit(uuid.charCodeAt(at + 1));
    at += 2;
  }
  return start + UUID_BYTES;
}

/** Value of a hex digit in lower case, from its code. */
function digit(code: number): number {
  return code <= 57 ? code - 48 : code - 87;
}

/** A buffer with the header written, for elements of `bytes` altogether. */
function allocate(oid: number, count: number, hasNull: boolean, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + count * LENGTH_BYTES + bytes);
  const dimensions = 1;
  const lowerBound = 1;
  let offset = 0;
  for (const value of [dimensions, hasNull ? 1 : 0, oid, count, lowerBound]) {
    offset = buffer.writeInt32BE(value, offset);
  }
  return buffer;
}

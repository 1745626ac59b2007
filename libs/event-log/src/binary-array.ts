/**
 * One-dimensional arrays in PostgreSQL's binary format. The driver sends a Buffer as it is, so a
 * column of a thousand rows costs neither quoting here nor parsing there, and JSON text arrives
 * byte for byte.
 */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const UUID_BYTES = 16;
const UINT32_RANGE = 2 ** 32;
const POSTGRES_EPOCH = Date.UTC(2000, 0, 1);
const OID = { bytea: 17, int8: 20, int2: 21, text: 25, json: 114, timestamptz: 1184, uuid: 2950 };

export function int2Array(values: readonly number[]): Buffer {
  return fixedArray(OID.int2, 2, values, (buffer, value, offset) =>
    buffer.writeInt16BE(value, offset),
  );
}

/** Safe integers only. */
export function int8Array(values: readonly number[]): Buffer {
  return fixedArray(OID.int8, 8, values, (buffer, value, offset) => {
    buffer.writeInt32BE(Math.floor(value / UINT32_RANGE), offset);
    buffer.writeUInt32BE(value >>> 0, offset + 4);
  });
}

/** Milliseconds since 1970, as `timestamptz`. */
export function momentArray(values: readonly number[]): Buffer {
  return fixedArray(OID.timestamptz, 8, values, (buffer, value, offset) =>
    // Microseconds pass the safe integers in the year 2285.
    buffer.writeBigInt64BE(BigInt(value - POSTGRES_EPOCH) * 1_000n, offset),
  );
}

export function byteaArray(values: readonly Buffer[]): Buffer {
  return variableArray(
    OID.bytea,
    values,
    (value) => value.length,
    (buffer, value, offset) => value.copy(buffer, offset),
  );
}

export function uuidArray(values: readonly (string | null)[]): Buffer {
  return variableArray(
    OID.uuid,
    values,
    (value) => (value === null ? -1 : UUID_BYTES),
    (buffer, value, offset) => {
      if (value !== null) buffer.write(value.replaceAll('-', ''), offset, 'hex');
    },
  );
}

export function textArray(values: readonly string[]): Buffer {
  return utf8Array(OID.text, values);
}

export function jsonArray(values: readonly string[]): Buffer {
  return utf8Array(OID.json, values);
}

function utf8Array(oid: number, values: readonly string[]): Buffer {
  return variableArray(
    oid,
    values,
    (value) => Buffer.byteLength(value),
    (buffer, value, offset) => buffer.write(value, offset, 'utf8'),
  );
}

function fixedArray<Value>(
  oid: number,
  width: number,
  values: readonly Value[],
  write: (buffer: Buffer, value: Value, offset: number) => void,
): Buffer {
  return variableArray(oid, values, () => width, write);
}

/** `sizeOf` answers the bytes of a value, or -1 for null, of which nothing is written. */
function variableArray<Value>(
  oid: number,
  values: readonly Value[],
  sizeOf: (value: Value) => number,
  write: (buffer: Buffer, value: Value, offset: number) => void,
): Buffer {
  const sizes = values.map(sizeOf);
  const total = sizes.reduce((sum, size) => sum + LENGTH_BYTES + Math.max(size, 0), HEADER_BYTES);
  const buffer = Buffer.allocUnsafe(total);
  let offset = writeHeader(buffer, oid, values.length, sizes.includes(-1));
  values.forEach((value, index) => {
    const size = sizes[index] ?? -1;
    offset = buffer.writeInt32BE(size, offset);
    write(buffer, value, offset);
    offset += Math.max(size, 0);
  });
  return buffer;
}

function writeHeader(buffer: Buffer, oid: number, count: number, hasNull: boolean): number {
  const dimensions = 1;
  const lowerBound = 1;
  [dimensions, hasNull ? 1 : 0, oid, count, lowerBound].forEach((value, index) =>
    buffer.writeInt32BE(value, index * 4),
  );
  return HEADER_BYTES;
}

import type { NewEvent } from '#event-log/event-log.js';

/** Fills the table `event` by COPY in its binary format: nothing is quoted or parsed. */
export const EVENT_COPY = `copy event
  (lane, position, account_id, account_version, call_id, type, at, data)
  from stdin with (format binary, freeze)`;
/** The first and the last bytes of such a COPY. */
export const COPY_BEGINS = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
export const COPY_ENDS = Buffer.from([0xff, 0xff]);

const COLUMNS = 8;
const FIRST_BYTES = 1 << 20;
const UINT32_RANGE = 2 ** 32;
const POSTGRES_EPOCH = Date.UTC(2000, 0, 1);
const UUID_FIELD = 20;
const ID_PREFIX_BYTES = 10;
const NULL_FIELD = Buffer.from([0xff, 0xff, 0xff, 0xff]);

/**
 * Fields that the rows of one event of the common history share: all from the account's version on.
 */
export interface SharedFields {
  /** The version, and of a call's id the first ten bytes; the account's own six follow. */
  readonly version: Buffer;
  readonly callId: Buffer | null;
  readonly rest: Buffer;
}

/** Which bytes of a row are an account's own. */
export interface AccountFields {
  readonly id: Buffer;
  /** The last six bytes of its ids. */
  readonly suffix: Buffer;
}

export function accountFields(id: string): AccountFields {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return { id: field(bytes), suffix: bytes.subarray(ID_PREFIX_BYTES) };
}

export function sharedFields(event: Omit<NewEvent, 'hash' | 'accountId'>): SharedFields {
  const { accountVersion, callId, type, at, data } = event;
  const moment = Buffer.alloc(8);
  moment.writeBigInt64BE(BigInt(at - POSTGRES_EPOCH) * 1_000n);
  return {
    version: field(integer(accountVersion)),
    callId: callId === null ? null : field(Buffer.from(callId.replaceAll('-', ''), 'hex')),
    rest: Buffer.concat([field(Buffer.from(type)), field(moment), field(Buffer.from(data))]),
  };
}

/** Rows of one lane, one after the other. */
export class EventRows {
  private bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  private end = 0;
  private readonly lane: Buffer;

  constructor(lane: number) {
    const number = Buffer.alloc(2);
    number.writeInt16BE(lane);
    const columns = Buffer.alloc(2);
    columns.writeInt16BE(COLUMNS);
    this.lane = Buffer.concat([columns, field(number), Buffer.from([0, 0, 0, 8])]);
  }

  add(position: number, account: AccountFields, { version, callId, rest }: SharedFields): void {
    this.reserve(this.lane.length + 8 + 3 * UUID_FIELD + rest.length);
    this.append(this.lane);
    this.end = this.bytes.writeUInt32BE(Math.floor(position / UINT32_RANGE), this.end);
    this.end = this.bytes.writeUInt32BE(position >>> 0, this.end);
    this.append(account.id);
    this.append(version);
    this.append(callId ?? NULL_FIELD);
    if (callId !== null) account.suffix.copy(this.bytes, this.end - account.suffix.length);
    this.append(rest);
  }

  /** The rows so far, which are its own no longer. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(this.bytes.buffer, 0, this.end);
    this.bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
    this.end = 0;
    return taken;
  }

  private append(bytes: Buffer): void {
    bytes.copy(this.bytes, this.end);
    this.end += bytes.length;
  }

  private reserve(more: number): void {
    if (this.end + more <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(2 * this.bytes.length + more);
    this.bytes.copy(grown, 0, 0, this.end);
    this.bytes = grown;
  }
}

function integer(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

function field(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

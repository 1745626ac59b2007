import { SPEAKS_TLS } from './tls-faults.js';

const LENGTH_BYTES = 4;
/** Bytes of the largest frame that a proven peer may send. */
export const FRAME_BYTES_MAX = 4 * 1024 * 1024;

/** Thrown for bytes that are no frame of this protocol. The connection they came over is lost. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** One frame: the length of the payload in 4 bytes, big-endian, then the payload in UTF-8. */
export function encodeFrame(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + bytes);
  frame.writeUInt32BE(bytes, 0);
  frame.write(text, LENGTH_BYTES, 'utf8');
  return frame;
}

/**
 * Puts frames together from chunks that were cut anywhere. A length of 0 or above `bytesMax`, bytes
 * that are not UTF-8 and text that is not JSON throw a FrameError; it takes nothing after that.
 */
export class FrameDecoder {
  private chunks: Buffer[] = [];
  private buffered = 0;
  private readonly text = new TextDecoder('utf-8', { fatal: true });

  /** `bytesMax`: the longest payload taken. It may be raised once the peer is known. */
  constructor(public bytesMax: number) {}

  /** The JSON values of all frames that this chunk completes, in order. */
  push(chunk: Buffer): unknown[] {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    const values: unknown[] = [];
    for (let length = this.nextLength(); length !== undefined; length = this.nextLength()) {
      if (this.buffered < LENGTH_BYTES + length) break;
      values.push(this.parse(this.take(LENGTH_BYTES + length).subarray(LENGTH_BYTES)));
    }
    return values;
  }

  /** Checked before the payload arrives: a wrong length never makes anybody wait or hoard. */
  private nextLength(): number | undefined {
    if (this.buffered < LENGTH_BYTES) return undefined;
    const head = (this.chunks[0]?.length ?? 0) < LENGTH_BYTES ? this.join() : this.chunks[0];
    const length = head?.readUInt32BE(0) ?? 0;
    if (length === 0 || length > this.bytesMax) {
      if (isTlsRecord(length)) throw new FrameError(SPEAKS_TLS);
      throw new FrameError(`A frame of ${length} bytes is not between 1 and ${this.bytesMax}.`);
    }
    return length;
  }

  private take(bytes: number): Buffer {
    const all = this.join();
    const rest = all.subarray(bytes);
    this.chunks = rest.length > 0 ? [rest] : [];
    this.buffered = rest.length;
    return all.subarray(0, bytes);
  }

  private join(): Buffer {
    const [first] = this.chunks;
    if (this.chunks.length === 1 && first !== undefined) return first;
    const all = Buffer.concat(this.chunks, this.buffered);
    this.chunks = [all];
    return all;
  }

  private parse(payload: Buffer): unknown {
    try {
      return JSON.parse(this.text.decode(payload)) as unknown;
    } catch (error) {
      throw new FrameError(`A frame of ${payload.length} bytes is not JSON.`, { cause: error });
    }
  }
}

/** The first bytes of an alert or a handshake of TLS, read as a length. */
function isTlsRecord(length: number): boolean {
  return [0x1503, 0x1603].includes(length >>> 16);
}

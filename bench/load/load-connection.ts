import net from 'node:net';

/** One answer. The load reads no more of it than it takes to know that it is the right one. */
export interface LoadAnswer {
  readonly status: number;
  /** Whether it was charged as the first call of its key. */
  readonly isBase: boolean;
}

const READ_BYTES = 65_536;
const END_OF_HEAD = '\r\n\r\n';
const STATUS_AT = 'HTTP/1.1 '.length;
const LENGTH = /\r\ncontent-length: /i;
const BASE = '\r\nCredits-Kind: base\r\n';
const NOTHING = Buffer.alloc(0);

/**
 * A connection that is kept alive and has one request in flight. It takes only what the service
 * answers: a head, and a body as long as its `content-length` says.
 */
export class LoadConnection {
  private readonly socket: net.Socket;
  /** The part of a head that has come. */
  private head: Buffer = NOTHING;
  private bodyLeft = 0;
  private answer: LoadAnswer | undefined;

  private constructor(
    host: string,
    port: number,
    private readonly onAnswer: (answer: LoadAnswer) => void,
    private readonly onLost: (error: Error) => void,
  ) {
    const callback = (length: number, buffer: Uint8Array): boolean => {
      this.read(Buffer.from(buffer.buffer, buffer.byteOffset, length));
      return true;
    };
    const onread = { buffer: Buffer.allocUnsafe(READ_BYTES), callback };
    this.socket = net.connect({ host, port, onread, noDelay: true });
    this.socket.on('error', onLost);
    this.socket.on('close', () => onLost(new Error('The server closed a connection.')));
  }

  /** Resolves once connected. `onAnswer` is called with each whole answer, `onLost` at the end. */
  static open(
    url: URL,
    onAnswer: (answer: LoadAnswer) => void,
    onLost: (error: Error) => void,
  ): Promise<LoadConnection> {
    return new Promise((resolve, reject) => {
      const lost = (error: Error): void => {
        reject(error);
        onLost(error);
      };
      const connection = new LoadConnection(url.hostname, Number(url.port), onAnswer, lost);
      connection.socket.once('connect', () => resolve(connection));
    });
  }

  /** Sends a request, which must be ASCII text and whole. */
  send(request: string): void {
    this.socket.write(request, 'latin1');
  }

  close(): void {
    this.socket.removeAllListeners('close');
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.answer === undefined) at = this.readHead(chunk, at);
      const taken = Math.min(this.bodyLeft, chunk.length - at);
      this.bodyLeft -= taken;
      at += taken;
      if (this.answer === undefined || this.bodyLeft > 0) return;
      const { answer } = this;
      this.answer = undefined;
      this.onAnswer(answer);
    }
  }

  /** Answers where the body begins, or the end of the chunk when the head is not whole yet. */
  private readHead(chunk: Buffer, at: number): number {
    const before = this.head.length;
    const bytes =
      before === 0 ? chunk.subarray(at) : Buffer.concat([this.head, chunk.subarray(at)]);
    const end = bytes.indexOf(END_OF_HEAD);
    if (end < 0) {
      // The socket reads into the same buffer again.
      this.head = Buffer.from(bytes);
      return chunk.length;
    }
    this.head = NOTHING;
    const text = bytes.toString('latin1', 0, end + 2);
    const length = LENGTH.exec(text);
    if (length === null) {
      this.onLost(new Error(`An answer has no length:\n${text}`));
      this.socket.destroy();
      return chunk.length;
    }
    this.bodyLeft = Number.parseInt(text.slice(length.index + length[0].length), 10);
    const status = Number(text.slice(STATUS_AT, STATUS_AT + 3));
    this.answer = { status, isBase: text.includes(BASE) };
    return at + end + END_OF_HEAD.length - before;
  }
}

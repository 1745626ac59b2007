import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { encodeFrame, FRAME_BYTES_MAX, FrameDecoder } from '../src/frames.js';
import { hello, prove } from '../src/handshake.js';
import { SECRET, until } from './scene.js';

/** A peer that sends exactly the bytes of a test, well-formed or not. */
export class RawPeer {
  readonly heard: unknown[] = [];
  closed = false;
  readonly nonce = randomBytes(32).toString('hex');
  private readonly socket: Socket;
  private readonly decoder = new FrameDecoder(FRAME_BYTES_MAX);

  constructor(url: string) {
    this.socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
    this.socket.on('data', (chunk: Buffer) => {
      for (const frame of this.decoder.push(chunk)) this.heard.push(...(frame as unknown[]));
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => (this.closed = true));
  }

  say(...messages: unknown[]): void {
    this.sayBytes(encodeFrame(JSON.stringify(messages)));
  }

  sayBytes(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  end(): void {
    this.socket.destroy();
  }

  /** Says hello and proves itself with a secret; what comes of it is `heard`. */
  async introduce(secret = SECRET): Promise<void> {
    this.say(hello(this.nonce));
    await until(() => this.heard.length === 1, 'the server challenges');
    const answer = prove(secret, this.nonce, this.heard[0]);
    if ('refused' in answer) throw new Error(`The server is refused: ${answer.refused}.`);
    this.say(answer.reply);
    await until(() => this.heard.length === 3, 'the server welcomes and can decide');
  }
}

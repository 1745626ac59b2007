import type { Socket } from 'node:net';
import { FRAME_BYTES_MAX, FrameDecoder, FrameError } from './frames.js';
import { Outbox, type Outgoing } from './outbox.js';

/** A peer that is not proven yet gets no more of this process's memory than its handshake needs. */
const HANDSHAKE_BYTES_MAX = 1_024;
const LINGER_MS = 2_000;

export interface FramedSocketEvents {
  readonly onMessage: (message: unknown) => void;
  /** Called once; without an error when either side ended the connection in order. */
  readonly onClosed: (error: Error | undefined) => void;
}

/** Messages over one TCP connection. Whatever goes wrong ends the connection, never the process. */
export class FramedSocket {
  private readonly decoder = new FrameDecoder(HANDSHAKE_BYTES_MAX);
  private readonly outbox: Outbox;
  private failure: Error | undefined;
  private ending = false;

  constructor(
    private readonly socket: Socket,
    private readonly events: FramedSocketEvents,
  ) {
    this.outbox = new Outbox(
      (frame, done) => this.write(frame, done),
      () => this.endIfDrained(),
    );
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('error', (error) => (this.failure ??= error));
    socket.on('close', () => events.onClosed(this.failure));
  }

  /** From now on the peer is proven: frames of full size are taken. */
  trust(): void {
    this.decoder.bytesMax = FRAME_BYTES_MAX;
  }

  /** Queues a message; it leaves with the others of this turn of the event loop. */
  send(message: object): Outgoing {
    return this.sendText(JSON.stringify(message));
  }

  /** The same for a message that is JSON already. */
  sendText(text: string): Outgoing {
    return this.outbox.push(text);
  }

  /** Messages that have not been handed to the socket yet. */
  get waiting(): number {
    return this.outbox.waiting;
  }

  /** Sends what is queued, then ends the connection; nothing is received any more. */
  end(reason?: Error): void {
    if (this.ending) return;
    this.ending = true;
    this.failure ??= reason;
    this.endIfDrained();
  }

  /** Ends the connection at once. */
  fail(error: Error): void {
    this.failure ??= error;
    this.socket.destroy();
  }

  private get deaf(): boolean {
    return this.ending || this.failure !== undefined;
  }

  private write(frame: Buffer, done: () => void): void {
    // After an error there is no next frame: whatever is queued stays unsent.
    this.socket.write(frame, (error) => {
      if (error === undefined || error === null) done();
    });
  }

  private endIfDrained(): void {
    if (!this.ending || !this.outbox.drained) return;
    this.socket.end();
    setTimeout(() => this.socket.destroy(), LINGER_MS).unref();
  }

  private receive(chunk: Buffer): void {
    if (this.deaf) return;
    try {
      for (const messages of this.decoder.push(chunk)) {
        if (!Array.isArray(messages)) throw new FrameError('A frame holds no list of messages.');
        for (const message of messages) {
          // A message may end the connection: what came in the same frame is not heard any more.
          if (!this.deaf) this.events.onMessage(message);
        }
      }
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

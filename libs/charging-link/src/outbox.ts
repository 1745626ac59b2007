import { encodeFrame, FRAME_BYTES_MAX } from './frames.js';

/** One message on its way out. Setting `dropped` on a queued one keeps it from being sent. */
export interface Outgoing {
  readonly text: string;
  state: 'queued' | 'sent' | 'dropped';
}

const MESSAGES_PER_FRAME_MAX = 1_024;
/** A frame is closed when it reaches this; one message alone may be larger. */
const FRAME_BYTES_WANTED = 1024 * 1024;
const BRACKETS_BYTES = 2;

/**
 * Collects the messages of one turn of the event loop, and those that come while the frame before
 * is being written, into one frame: a JSON array of messages. One frame is written at a time.
 */
export class Outbox {
  private queue: Outgoing[] = [];
  private next = 0;
  private busy = false;

  /** `write` calls `done` once the bytes have left; `onDrained` is called when nothing is left. */
  constructor(
    private readonly write: (frame: Buffer, done: () => void) => void,
    private readonly onDrained: () => void = () => undefined,
  ) {}

  /** Throws a RangeError for a message that fits no frame. */
  push(text: string): Outgoing {
    if (Buffer.byteLength(text) + BRACKETS_BYTES > FRAME_BYTES_MAX) {
      throw new RangeError(`A message of ${text.length} characters fits no frame.`);
    }
    const outgoing: Outgoing = { text, state: 'queued' };
    this.queue.push(outgoing);
    if (!this.busy) {
      this.busy = true;
      setImmediate(() => this.flush());
    }
    return outgoing;
  }

  get drained(): boolean {
    return !this.busy;
  }

  /** Messages that wait. */
  get waiting(): number {
    return this.queue.length - this.next;
  }

  private flush(): void {
    const texts = this.takeFrame();
    if (texts.length === 0) {
      this.busy = false;
      this.onDrained();
      return;
    }
    this.write(encodeFrame(`[${texts.join(',')}]`), () => this.flush());
  }

  private takeFrame(): string[] {
    const texts: string[] = [];
    let bytes = BRACKETS_BYTES;
    while (this.next < this.queue.length && texts.length < MESSAGES_PER_FRAME_MAX) {
      const outgoing = this.queue[this.next];
      if (outgoing === undefined) break;
      if (outgoing.state === 'queued') {
        bytes += Buffer.byteLength(outgoing.text) + 1;
        if (bytes > FRAME_BYTES_WANTED && texts.length > 0) break;
        outgoing.state = 'sent';
        texts.push(outgoing.text);
      }
      this.next += 1;
    }
    this.forgetSent();
    return texts;
  }

  private forgetSent(): void {
    if (this.next < this.queue.length && this.next < MESSAGES_PER_FRAME_MAX) return;
    this.queue = this.queue.slice(this.next);
    this.next = 0;
  }
}

import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Session } from '../portal-sessions/portal-session.js';
import type { Listener } from './event-feed.js';
import type { FeedMessage } from './feed-message.js';

const HEARTBEAT_MS = 15_000;
/** A page that does not read is let go; it goes on behind what it has read. */
const UNREAD_BYTES_MAX = 1_048_576;

/** One stream of server-sent events, from its headers to its end. */
export class EventStream implements Listener {
  private heartbeat: NodeJS.Timeout | undefined;

  constructor(
    private readonly response: ServerResponse,
    readonly session: Session,
    public version: number,
  ) {}

  open(headers: OutgoingHttpHeaders): void {
    this.response.writeHead(200, headers);
    this.response.flushHeaders();
    this.heartbeat = setInterval(() => this.write(': \n\n'), HEARTBEAT_MS).unref();
    this.response.once('close', () => clearInterval(this.heartbeat));
    this.response.on('error', () => this.response.destroy());
  }

  send({ version, kind, data }: FeedMessage): void {
    this.write(`id: ${version}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  signOut(): void {
    this.write('event: signed_out\ndata: {}\n\n');
    this.end();
  }

  end(): void {
    this.response.end();
  }

  private write(text: string): void {
    if (this.response.writableEnded || this.response.destroyed) return;
    this.response.write(text);
    if (this.response.writableLength > UNREAD_BYTES_MAX) this.response.destroy();
  }
}

import type { Socket } from 'node:net';

interface Stranger {
  readonly socket: Socket;
  readonly since: number;
}

/** Connections that have not proven themselves yet: few, from the first packet on. */
export class AnonymousPeers {
  /** By the peer's address and port: with TLS, the socket that speaks is not the one that came. */
  private readonly waiting = new Map<string, Stranger>();

  /** `onFull`: one more came, and the oldest had to go. */
  constructor(
    private readonly most: number,
    private readonly onFull: () => void,
  ) {}

  /**
   * The oldest stranger goes, not the newest: a handshake takes milliseconds, so whoever holds
   * connections without proving itself keeps no API process out.
   */
  admit(socket: Socket): void {
    const [oldest] = this.waiting;
    if (oldest !== undefined && this.waiting.size >= this.most) {
      this.waiting.delete(oldest[0]);
      oldest[1].socket.destroy();
      this.onFull();
    }
    const peer = peerOf(socket);
    this.waiting.set(peer, { socket, since: performance.now() });
    socket.once('close', () => {
      if (this.waiting.get(peer)?.socket === socket) this.waiting.delete(peer);
    });
  }

  /** It has proven itself. */
  forget(peer: string): void {
    this.waiting.delete(peer);
  }

  /** How long it has been here. */
  ageMs(peer: string): number {
    const since = this.waiting.get(peer)?.since;
    return since === undefined ? 0 : performance.now() - since;
  }

  /** Ends all of them without a word. */
  end(): void {
    for (const { socket } of this.waiting.values()) socket.destroy();
  }
}

/** Address and port of the other side; a socket that has closed may not know them any more. */
export function peerOf({ remoteAddress, remotePort }: Socket): string {
  return remoteAddress === undefined ? 'an unknown address' : `${remoteAddress}:${remotePort ?? 0}`;
}

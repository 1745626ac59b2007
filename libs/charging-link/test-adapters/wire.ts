import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { FRAME_BYTES_MAX, FrameDecoder } from '../src/frames.js';

/** A TCP relay in front of a server: it counts frames, and breaks in the ways that networks do. */
export class Wire {
  framesIn = 0;
  framesOut = 0;
  connections = 0;
  port = 0;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly servers = new Set<Socket>();
  private muted = false;

  constructor(private readonly target: number) {
    this.server = createServer((client) => this.relay(client));
  }

  async listen(port = 0): Promise<string> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
    return `tcp://127.0.0.1:${this.port}`;
  }

  /** From now on the server's bytes are dropped without an error. */
  mute(): void {
    this.muted = true;
  }

  /** From now on nothing that the client says is read: its buffers fill. */
  stall(): void {
    for (const socket of this.sockets) if (!this.servers.has(socket)) socket.pause();
  }

  /** Breaks every connection; new ones are whole again. */
  cut(): void {
    this.muted = false;
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  /** Breaks every connection and takes no new one. */
  async close(): Promise<void> {
    this.cut();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  private relay(client: Socket): void {
    this.connections += 1;
    const server = connect({ host: '127.0.0.1', port: this.target });
    this.servers.add(server);
    const inward = new FrameDecoder(FRAME_BYTES_MAX);
    const outward = new FrameDecoder(FRAME_BYTES_MAX);
    client.on('data', (chunk: Buffer) => {
      this.framesIn += inward.push(chunk).length;
      server.write(chunk);
    });
    server.on('data', (chunk: Buffer) => {
      this.framesOut += outward.push(chunk).length;
      if (!this.muted) client.write(chunk);
    });
    this.join(client, server);
    this.join(server, client);
  }

  private join(one: Socket, other: Socket): void {
    this.sockets.add(one);
    one.on('error', () => undefined);
    one.on('close', () => {
      this.sockets.delete(one);
      other.destroy();
    });
  }
}

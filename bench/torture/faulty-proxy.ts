import net from 'node:net';

/** After this long the server's side of a dead connection is ended, as its keep-alive would. */
const SERVER_NOTICES_MS = 60_000;

/** One connection that passes through: two sockets. */
interface Pair {
  readonly client: net.Socket;
  readonly server: net.Socket;
  /** Nothing passes any more, not even the news that an end was closed. */
  dead: boolean;
}

/**
 * Stands between two processes and treats their connections as bad networks do:
 * - `delay`: every piece arrives later;
 * - `cut`: all connections are reset, new ones pass;
 * - `refuse`: the same, and new ones are reset too;
 * - `stall`: nothing moves until `heal`, then everything arrives;
 * - `half-open`: existing connections go dead for good without an error at either end; new ones
 *   pass.
 */
export class FaultyProxy {
  private readonly pairs = new Set<Pair>();
  private delayMs = 0;
  private refusing = false;
  private stalled = false;

  private constructor(
    private targetPort: number,
    private readonly server: net.Server,
    readonly port: number,
  ) {
    server.on('connection', (client) => this.connect(client));
  }

  /** Listens on `port`; passes on to another port of this machine. */
  static async start(port: number, targetPort: number): Promise<FaultyProxy> {
    const server = net.createServer({ allowHalfOpen: false });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    return new FaultyProxy(targetPort, server, port);
  }

  delay(ms: number): void {
    this.delayMs = ms;
  }

  cut(): void {
    for (const { client, server } of this.pairs) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  }

  refuse(): void {
    this.refusing = true;
    this.cut();
  }

  /** Passes new connections to another port. */
  retarget(port: number): void {
    this.targetPort = port;
    this.cut();
  }

  stall(): void {
    this.stalled = true;
    for (const { client, server } of this.pairs) {
      client.pause();
      server.pause();
    }
  }

  halfOpen(): void {
    for (const pair of this.pairs) {
      if (pair.dead) continue;
      pair.dead = true;
      setTimeout(() => pair.server.destroy(), SERVER_NOTICES_MS).unref();
    }
  }

  /** From now on everything passes again; what is dead stays dead. */
  heal(): void {
    this.delayMs = 0;
    this.refusing = false;
    this.stalled = false;
    for (const { client, server } of this.pairs) {
      client.resume();
      server.resume();
    }
  }

  async stop(): Promise<void> {
    this.refuse();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private connect(client: net.Socket): void {
    if (this.refusing) {
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const server = net.connect(this.targetPort, '127.0.0.1');
    const pair: Pair = { client, server, dead: false };
    this.pairs.add(pair);
    this.relay(pair, client, server);
    this.relay(pair, server, client);
    if (this.stalled) client.pause();
  }

  private relay(pair: Pair, from: net.Socket, to: net.Socket): void {
    from.setNoDelay(true);
    let arrivesAt = 0;
    const later = (act: () => void): void => {
      arrivesAt = Math.max(arrivesAt, performance.now() + this.delayMs);
      const ms = arrivesAt - performance.now();
      if (ms < 1) act();
      else setTimeout(act, ms);
    };
    from.on('data', (bytes) => {
      if (pair.dead) return;
      later(() => {
        if (!pair.dead && !to.destroyed) to.write(bytes);
      });
    });
    // The close that follows ends the other side of a cut connection.
    from.on('error', () => undefined);
    from.on('close', () => {
      if (pair.client.destroyed && pair.server.destroyed) this.pairs.delete(pair);
      if (!pair.dead) later(() => to.destroy());
    });
  }
}

import net from 'node:net';

/**
 * Treatment of the connections through the proxy:
 * - `pass`: nothing;
 * - `cut-request`: the next bytes from a client are thrown away and its connection is cut;
 * - `cut-answer`: the next bytes from the server are thrown away and the connection is cut, so that
 *   the server has done what the client never hears of;
 * - `refuse`: every connection is cut, new ones too;
 * - `swallow`: existing connections fall silent both ways without an error; new connections pass.
 * - `silence`: the same, and new connections are accepted and hear nothing.
 *   Both single cuts fall back to `pass`, and can let a number of pieces through first.
 */
export type ProxyMode = 'pass' | 'cut-request' | 'cut-answer' | 'refuse' | 'swallow' | 'silence';

/** Stands between a client and a database, and breaks their connections where a test says. */
export class TcpProxy {
  private mode: ProxyMode = 'pass';
  private piecesLeft = 0;
  /** Whose connections are treated; empty: all of them. */
  private whom = '';
  private readonly sockets = new Set<net.Socket>();
  private readonly clients = new Set<net.Socket>();
  /** First bytes from a client, by both sockets of its connection. */
  private readonly greetings = new WeakMap<net.Socket, Buffer>();
  private readonly silent = new WeakSet<net.Socket>();

  private constructor(
    private readonly target: URL,
    private readonly server: net.Server,
  ) {
    server.on('connection', (client) => this.connect(client));
  }

  /** Listens on a free port of this machine. */
  static async start(targetUrl: string): Promise<TcpProxy> {
    const server = net.createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    return new TcpProxy(new URL(targetUrl), server);
  }

  /** The target's connection string, by way of this proxy. */
  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy is stopped.');
    const url = new URL(this.target);
    url.host = `127.0.0.1:${address.port}`;
    return url.href;
  }

  /** `whom`: refuses or silences only connections of programs whose name contains this. */
  setMode(mode: ProxyMode, piecesFirst = 0, whom = ''): void {
    this.mode = mode;
    this.piecesLeft = piecesFirst;
    this.whom = whom;
    const meant = [...this.sockets].filter((socket) => this.isMeant(socket));
    if (mode === 'refuse') for (const socket of meant) socket.destroy();
    if (mode === 'swallow' || mode === 'silence')
      for (const socket of meant) this.silent.add(socket);
  }

  /** Whether a client is connected. */
  get isUsed(): boolean {
    return this.clients.size > 0;
  }

  cutAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.cutAll();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private connect(client: net.Socket): void {
    if (this.mode === 'refuse' && this.whom === '') {
      client.destroy();
      return;
    }
    this.clients.add(client);
    client.once('close', () => this.clients.delete(client));
    const server = net.connect(Number(this.target.port || '5432'), this.target.hostname);
    client.once('data', (greeting) => {
      for (const each of [client, server]) this.greetings.set(each, greeting);
      if (!this.isMeant(client)) return;
      if (this.mode === 'refuse') client.destroy();
      if (this.mode === 'silence') for (const each of [client, server]) this.silent.add(each);
    });
    this.relay(client, server, 'cut-request');
    this.relay(server, client, 'cut-answer');
  }

  private isMeant(socket: net.Socket): boolean {
    return this.whom === '' || this.greetings.get(socket)?.includes(this.whom) === true;
  }

  private relay(from: net.Socket, to: net.Socket, cutIn: ProxyMode): void {
    this.sockets.add(from);
    from.setNoDelay(true);
    from.on('data', (bytes) => {
      if (this.silent.has(from)) return;
      if (this.mode !== cutIn || this.piecesLeft-- > 0) {
        to.write(bytes);
        return;
      }
      this.mode = 'pass';
      from.destroy();
      to.destroy();
    });
    // The close that follows ends the other side of a cut connection.
    from.on('error', () => undefined);
    from.on('close', () => {
      this.sockets.delete(from);
      if (!this.silent.has(from)) to.destroy();
    });
  }
}

import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { codeOf } from '#database/errors.js';
import type { Answering } from './answer-request.js';
import { serverTlsOptions, type ChargingTls } from './charging-tls.js';
import { RefusalLog } from './refusal-log.js';
import {
  ServerConnection,
  type Ability,
  type ServerConnectionOptions,
} from './server-connection.js';
import { checkSecret } from './secret.js';
import { peerOf, AnonymousPeers } from './anonymous-peers.js';
import { tlsFaultText } from './tls-faults.js';

export interface ChargingServerOptions extends Answering {
  /** CHARGING_SECRET, at least 32 characters. */
  readonly secret: string;
  /** Without it the link is neither encrypted nor signed. */
  readonly tls?: ChargingTls | undefined;
  readonly inFlightMax?: number;
  readonly handshakeTimeoutMs?: number;
  readonly silenceMaxMs?: number;
  readonly connectionsMax?: number;
  /** Connections that have not proven themselves; one more ends the oldest of them. */
  readonly strangersMax?: number;
}

const STRANGERS_MAX = 32;
const HANDSHAKE_MS = 2_000;
const DRAIN_MS = 10_000;

/**
 * Serves a `Charging` to API processes over TCP. Every request is answered by itself as soon as it
 * is decided. `onUnsettled` is called with calls whose caller got no answer; the peer keeps such a
 * call until the returned promise has resolved. `onFault` is called for refused peers, lost
 * connections and unforeseen errors, with an error whose message is a line for the log.
 */
export class ChargingServer {
  private readonly server: Server;
  private readonly connections = new Set<ServerConnection>();
  private readonly onFault: (error: unknown) => void;
  private readonly refusals: RefusalLog;
  private readonly strangers: AnonymousPeers;
  private ability: Ability = { ready: true };
  private onEmpty: () => void = () => undefined;

  /** Throws a RangeError for a secret that is too short. */
  constructor(options: ChargingServerOptions) {
    const secret = checkSecret(options.secret);
    this.onFault = options.onFault;
    this.refusals = new RefusalLog(options.onFault);
    const strangersMax = options.strangersMax ?? STRANGERS_MAX;
    this.strangers = new AnonymousPeers(strangersMax, () => {
      const line = `More than ${strangersMax} connections have not proven themselves yet.`;
      this.refusals.report('strangers', line);
    });
    const settings: ServerConnectionOptions = {
      inFlightMax: 20_000,
      handshakeTimeoutMs: HANDSHAKE_MS,
      silenceMaxMs: 15_000,
      ...options,
      secret,
      refusals: this.refusals,
      strangers: this.strangers,
      ability: () => this.ability,
    };
    const serve = (socket: Socket): void => {
      const onClosed = (connection: ServerConnection) => this.forget(connection);
      this.connections.add(new ServerConnection(socket, settings, onClosed));
    };
    const { tls } = options;
    this.server =
      tls === undefined ? createServer() : this.tlsServer(tls, settings.handshakeTimeoutMs);
    this.server.on('connection', (socket) => this.strangers.admit(socket));
    this.server.on(tls === undefined ? 'connection' : 'secureConnection', serve);
    this.server.maxConnections = options.connectionsMax ?? 256;
  }

  /** Resolves to the port it listens on; 0 takes a free one. Rejects if the address is in use. */
  async listen(host: string, port: number): Promise<number> {
    this.server.listen(port, host);
    await once(this.server, 'listening');
    this.server.on('error', this.onFault);
    return (this.server.address() as AddressInfo).port;
  }

  /**
   * Listens on a socket of this machine, which its user alone may open. What an ended process has
   * left there is replaced. Rejects if a process listens there.
   */
  async listenAt(socketPath: string): Promise<void> {
    if (!(await isServed(socketPath))) await rm(socketPath, { force: true });
    this.server.listen(socketPath);
    await once(this.server, 'listening');
    await chmod(socketPath, 0o600);
    this.server.on('error', this.onFault);
  }

  /** Connected API processes, those that have not proven themselves yet included. */
  get connected(): number {
    return this.connections.size;
  }

  /**
   * Says to every API process whether this one can decide: while it cannot, they ask others. It
   * counts as able until this is called.
   */
  announce(ability: Ability): void {
    const { ready, detail } = this.ability;
    if (ability.ready === ready && ability.detail === detail) return;
    this.ability = ability;
    for (const connection of this.connections) connection.announce();
  }

  /** Answers what is under way, for at most `drainMs`, and ends. Peers go elsewhere meanwhile. */
  async close(drainMs = DRAIN_MS): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const deadline = setTimeout(() => {
      for (const connection of this.connections) connection.abandon();
    }, drainMs);
    for (const connection of this.connections) connection.leave();
    this.strangers.end();
    if (this.connections.size > 0) await new Promise<void>((resolve) => (this.onEmpty = resolve));
    clearTimeout(deadline);
    await closed;
  }

  private tlsServer(tls: ChargingTls, handshakeMs: number): Server {
    const server = createTlsServer(serverTlsOptions(tls, handshakeMs));
    return server.on('tlsClientError', (error: Error, socket: TLSSocket) => {
      // A certificate that is not taken ends the connection by itself; only here is the reason
      // left.
      const verified: unknown = socket.authorizationError;
      const code = typeof verified === 'string' ? verified : (codeOf(error) ?? error.name);
      const line = `API process at ${peerOf(socket)} was refused: ${tlsFaultText(code)}.`;
      this.refusals.report(code, line);
      socket.destroy();
    });
  }

  private forget(connection: ServerConnection): void {
    this.connections.delete(connection);
    if (this.connections.size === 0) this.onEmpty();
  }
}

/** Whether a process answers on a socket of this machine. */
function isServed(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socketPath, () => {
      probe.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}

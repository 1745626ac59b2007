import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { Answering } from './answer-request.js';
import { ChargingFault } from './charging-fault.js';
import {
  ServerConnection,
  type Ability,
  type ServerConnectionOptions,
} from './server-connection.js';
import { checkSecret } from './secret.js';

export interface ChargingServerOptions extends Answering {
  /** CHARGING_SECRET, at least 32 characters. */
  readonly secret: string;
  readonly inFlightMax?: number;
  readonly handshakeTimeoutMs?: number;
  readonly silenceMaxMs?: number;
  readonly connectionsMax?: number;
  /** Connections that have not proven themselves; one more ends the oldest of them. */
  readonly strangersMax?: number;
}

const STRANGERS_MAX = 32;
const TOLD_EVERY_MS = 60_000;

const DRAIN_MS = 10_000;

/**
 * Serves a `Charging` to API processes over TCP. Every request is answered by itself as soon as it
 * is decided. `onUnsettled` is told of calls whose caller was left without an answer; the peer
 * keeps such a call until what `onUnsettled` returns has resolved. `onFault` is told, as an error
 * whose message is a line for the log, of refused peers, lost connections and unforeseen errors.
 */
export class ChargingServer {
  private readonly server: Server;
  private readonly connections = new Set<ServerConnection>();
  private readonly onFault: (error: unknown) => void;
  private ability: Ability = { ready: true };
  private toldAt = -Infinity;
  private onEmpty: () => void = () => undefined;

  /** Throws a RangeError for a secret that is too short. */
  constructor(options: ChargingServerOptions) {
    const settings: ServerConnectionOptions = {
      inFlightMax: 20_000,
      handshakeTimeoutMs: 2_000,
      silenceMaxMs: 15_000,
      ...options,
      secret: checkSecret(options.secret),
      ability: () => this.ability,
    };
    this.onFault = options.onFault;
    this.server = createServer((socket) => {
      this.makeRoom(options.strangersMax ?? STRANGERS_MAX);
      this.connections.add(
        new ServerConnection(socket, settings, (connection) => this.forget(connection)),
      );
    });
    this.server.maxConnections = options.connectionsMax ?? 256;
  }

  /** Resolves to the port it listens on; 0 takes a free one. Rejects if the address is in use. */
  async listen(host: string, port: number): Promise<number> {
    this.server.listen(port, host);
    await once(this.server, 'listening');
    this.server.on('error', this.onFault);
    return (this.server.address() as AddressInfo).port;
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
    if (this.connections.size > 0) await new Promise<void>((resolve) => (this.onEmpty = resolve));
    clearTimeout(deadline);
    await closed;
  }

  /**
   * The oldest stranger goes, not the newest: a handshake takes milliseconds, so whoever holds
   * connections without proving itself keeps no API process out.
   */
  private makeRoom(strangersMax: number): void {
    const strangers = [...this.connections].filter(({ proven }) => !proven);
    if (strangers.length < strangersMax) return;
    strangers[0]?.dismiss();
    if (performance.now() - this.toldAt < TOLD_EVERY_MS) return;
    this.toldAt = performance.now();
    this.onFault(
      new ChargingFault(`More than ${strangersMax} connections have not proven themselves yet.`),
    );
  }

  private forget(connection: ServerConnection): void {
    this.connections.delete(connection);
    if (this.connections.size === 0) this.onEmpty();
  }
}

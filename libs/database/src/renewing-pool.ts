import pg from 'pg';
import { needsNewConnection } from './errors.js';

type Lent = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (destroy?: Error | boolean) => void,
) => void;

/**
 * A pool that lends no connection which is older than the last loss. What took one connection away,
 * a network that forgot it or a server that hangs, has mostly taken the idle ones too, and nobody is
 * told: each of them would let its next user wait for as long as a statement may take.
 */
export class RenewingPool extends pg.Pool {
  private readonly openedAt = new WeakMap<pg.PoolClient, number>();
  private lostAt = -Infinity;

  constructor(config: pg.PoolConfig) {
    super(config);
    this.on('connect', (client) => {
      this.openedAt.set(client, performance.now());
      // A server that goes down may say so in the packet that also says it is ready: the connection is
      // lent by then, and its user not yet listening. Unheard, the loss would end the process.
      client.on('error', () => undefined);
    });
    this.on('release', (error: unknown) => {
      if (error instanceof Error && needsNewConnection(error)) {
        this.lostAt = performance.now();
      }
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Lent): void;
  override connect(callback?: Lent): Promise<pg.PoolClient> | void {
    const lent = this.lend();
    if (callback === undefined) return lent;
    lent.then(
      (client) => callback(undefined, client, (destroy) => client.release(destroy)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  private async lend(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await super.connect();
      if ((this.openedAt.get(client) ?? Infinity) > this.lostAt) return client;
      client.release(true);
    }
  }
}

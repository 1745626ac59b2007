import pg from 'pg';
import { chosenClient, type ChosenClient } from './chosen-client.js';
import { needsNewConnection } from './errors.js';
import { ServerChoice } from './server-choice.js';
import { settleSession } from './session-settings.js';

type ClientCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (destroy?: Error | boolean) => void,
) => void;

/** No connection became free in time, which says nothing of the server. */
const POOL_IS_BUSY = /timeout exceeded when trying to connect|after calling end/;

/**
 * A pool that lends no connection which is older than the last loss, of whichever pool of this
 * process. What took one connection away, a network that forgot it or a server that hangs, has
 * mostly taken the idle ones too, and nothing reports it: each of them would let its next user wait
 * for as long as a statement may take. Where several servers are named the loss also opens the
 * choice between them, and no connection is lent that leads to one that is chosen no more.
 */
export class RenewingPool extends pg.Pool {
  private readonly choice: ServerChoice;

  /**
   * `url`: the database, which may name several servers. `prepare`: what each connection needs
   * before it is lent. Throws Error for a URL that is none.
   */
  constructor(
    url: string,
    config: pg.PoolConfig,
    prepare?: (client: pg.ClientBase) => Promise<void>,
  ) {
    const choice = ServerChoice.of(url);
    const onConnect = async (client: pg.ClientBase): Promise<void> => {
      await choice.check(client);
      await settleSession(client);
      await prepare?.(client);
    };
    super({ ...config, Client: chosenClient(choice), onConnect });
    this.choice = choice;
    this.on('connect', (client) => {
      // A server that goes down may say so in the packet that also says it is ready: the connection
      // is lent by then, and its user not yet listening. Unheard, the loss would end the process.
      client.on('error', () => undefined);
    });
    this.on('release', (error: unknown) => {
      if (error instanceof Error && needsNewConnection(error)) this.choice.lose();
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ClientCallback): void;
  override connect(callback?: ClientCallback): Promise<pg.PoolClient> | void {
    const lent = this.lend();
    if (callback === undefined) return lent;
    lent.then(
      (client) => callback(undefined, client, (destroy) => client.release(destroy)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  private async lend(): Promise<pg.PoolClient> {
    let mayChooseAgain = this.choice.isPlural;
    for (;;) {
      await this.choice.choose();
      try {
        const client = await super.connect();
        const { openedAt } = client as unknown as ChosenClient;
        if (openedAt > this.choice.renewedAt) return client;
        client.release(true);
      } catch (error) {
        if (POOL_IS_BUSY.test(String(error))) throw error;
        this.choice.reopen();
        if (!mayChooseAgain) throw error;
        mayChooseAgain = false;
      }
    }
  }
}

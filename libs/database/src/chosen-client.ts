import pg from 'pg';
import { COORDINATOR_AWAY } from './cluster/coordinator.js';
import type { ServerChoice } from './server-choice.js';

/** A connection that leads to the server that was chosen when it began to open. */
export interface ChosenClient extends pg.Client {
  /** By `performance.now()`. */
  readonly openedAt: number;
}

type ClientClass = new (config?: pg.ClientConfig) => ChosenClient;

const NO_TABLE = '42P01';

/** The class of a pool's connections. */
export function chosenClient(choice: ServerChoice): ClientClass {
  return class extends pg.Client {
    readonly openedAt = performance.now();

    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionString: choice.url });
      if (choice.isStandIn) this.connection.on('errorMessage', nameCoordinator);
    }
  };
}

/** A worker knows no table that the coordinator keeps to itself, and says no more than that. */
function nameCoordinator(error: pg.DatabaseError): void {
  if (error.code !== NO_TABLE) return;
  error.message = `${COORDINATOR_AWAY.message}: ${error.message}`;
  error.code = COORDINATOR_AWAY.code;
}

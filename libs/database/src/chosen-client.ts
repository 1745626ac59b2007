import pg from 'pg';
import type { ServerChoice } from './server-choice.js';

type ClientClass = new (config?: pg.ClientConfig) => pg.Client;

/** The class of a pool's connections: each leads to the server that is chosen when it opens. */
export function chosenClient(choice: ServerChoice): ClientClass {
  return class extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionString: choice.url });
    }
  };
}

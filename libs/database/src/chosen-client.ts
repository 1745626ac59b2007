import pg from 'pg';
import { COORDINATOR_AWAY } from './cluster/coordinator.js';
import type { ServerChoice } from './server-choice.js';

/** A connection that leads to the server that was chosen when it began to open. */
export interface ChosenClient extends pg.Client {
  /** By `performance.now()`. */
  readonly openedAt: number;
}

type ClientClass = new (config?: pg.ClientConfig) => ChosenClient;
type Statement = pg.QueryConfig & { readonly query_timeout?: number };
type QueryCallback = (error: Error | undefined, result?: pg.QueryResult) => void;

const NO_TABLE = '42P01';
/** In the words of the driver. */
const SILENT = 'Query read timeout';

/**
 * The class of a pool's connections.
 *
 * It makes promises and timeouts of statements itself. Where the driver does, it assigns a function
 * to a property of the statement. V8 makes such a function in its old space, where all that it
 * refers to (parameters, rows, the promise) is kept until that space is collected.
 */
export function chosenClient(choice: ServerChoice): ClientClass {
  return class extends pg.Client {
    readonly openedAt = performance.now();
    private readonly answerMsMax: number | undefined;

    constructor({ query_timeout: answerMsMax, ...config }: pg.ClientConfig = {}) {
      super({ ...config, connectionString: choice.url });
      this.answerMsMax = answerMsMax;
      if (choice.isStandIn) this.connection.on('errorMessage', nameCoordinator);
    }

    /** As the driver's, in all of its forms. */
    override query(config: unknown, ...given: unknown[]): never {
      if (isSubmittable(config)) {
        const stream = Object.assign(config, { query_timeout: this.answerMsMax });
        return super.query(stream, ...(given as [])) as never;
      }
      const statement = typeof config === 'string' ? { text: config } : (config as Statement);
      const values = given.find(Array.isArray);
      const whole = values === undefined ? statement : { ...statement, values };
      const done = given.find((one): one is QueryCallback => typeof one === 'function');
      if (done !== undefined) return this.send(whole, done) as never;
      return this.promised(whole).catch(restack) as never;
    }

    private promised(statement: Statement): Promise<unknown> {
      return new Promise((resolve, reject) => {
        this.send(statement, (error, result) => (error ? reject(error) : resolve(result)));
      });
    }

    private send(given: Statement, done: QueryCallback): void {
      // A copy: the driver adds the callback to what it is given.
      const { query_timeout: msMax = this.answerMsMax, ...statement } = given;
      if (msMax === undefined) return super.query(statement, done);
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        done(new Error(SILENT));
      }, msMax);
      super.query(statement, (error: Error | undefined, result) => {
        clearTimeout(timer);
        if (!isLate) done(error, result);
      });
    }
  };
}

function isSubmittable(config: unknown): config is pg.Submittable {
  return typeof (config as Partial<pg.Submittable>).submit === 'function';
}

/** The stack of those who asked says more than that of the socket. */
function restack(error: Error): never {
  Error.captureStackTrace(error);
  throw error;
}

/** A worker knows no table that the coordinator keeps to itself, and says no more than that. */
function nameCoordinator(error: pg.DatabaseError): void {
  if (error.code !== NO_TABLE) return;
  error.message = `${COORDINATOR_AWAY.message}: ${error.message}`;
  error.code = COORDINATOR_AWAY.code;
}

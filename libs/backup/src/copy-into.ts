import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams';

/**
 * A COPY into a table that is written piece by piece. Not a pipeline: one that fails waits for an
 * answer of the server, and a connection that was lost never gives it.
 */
export class CopyInto {
  private readonly stream: CopyStreamQuery;
  private readonly ended: Promise<void>;
  private failed = false;

  constructor(client: pg.ClientBase, statement: string) {
    this.stream = client.query(copyFrom(statement));
    this.ended = finished(this.stream).catch((error: unknown) => {
      this.failed = true;
      throw error;
    });
    // The next write rejects with it; until then it must not count as unhandled.
    this.ended.catch(() => undefined);
  }

  /** Throws what the server refused the COPY for. */
  async write(piece: string | Buffer): Promise<void> {
    if (this.failed) return this.ended;
    if (this.stream.write(piece)) return;
    await Promise.race([once(this.stream, 'drain'), this.ended]);
  }

  /** Resolves once the server has taken all rows. */
  async end(): Promise<void> {
    if (!this.failed) this.stream.end();
    await this.ended;
  }

  /** Gives the COPY up, so that the connection can be used to roll back. */
  async abort(): Promise<void> {
    if (!this.failed) this.stream.destroy(new Error('The restore was given up.'));
    await this.ended.catch(() => undefined);
  }
}

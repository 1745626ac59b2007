import type pg from 'pg';
import { terms } from '#account/scenario.suite.js';
import { openDatabase } from '#database/database.js';
import { SystemStream } from '#event-log/system-stream.js';
import { renderDocuments } from '#invoice-documents/render-documents.js';
import { Invoicing, type InvoicingParts } from './invoicing.js';
import { AdminStage } from '../../../test/setup/admin-stage.js';
import { caughtUp } from '../../../test/setup/invoicing-stage.js';

/** Where a process may fall: before or after each thing that it does to the world. */
export const STEPS = [
  'before sealing',
  'after sealing',
  'before keeping documents',
  'after keeping documents',
  'while rendering',
  'before numbering',
  'after numbering',
] as const;
export type Step = (typeof STEPS)[number];

interface Statement {
  readonly name?: string;
  readonly values?: readonly (readonly unknown[])[];
}

export class Fallen extends Error {}

/** Processes of the service that issue on one database, and fall at a step. */
export class FallingProcesses {
  private readonly pools: pg.Pool[] = [];

  private constructor(readonly stage: AdminStage) {}

  static async open(): Promise<FallingProcesses> {
    return new FallingProcesses(await AdminStage.open());
  }

  /** Nothing that happened may be reported as an error. */
  async close(): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool.end()));
    expect(this.stage.errors).toEqual([]);
    await this.stage.close();
  }

  opened(): pg.Pool {
    const pool = openDatabase({ url: this.stage.url, applicationName: 'another process' });
    this.pools.push(pool);
    return pool;
  }

  /** Another process of the service, which falls at a step. `meanwhile`: before its first seal. */
  another(
    fallsAt: Step | null = null,
    pool = this.opened(),
    meanwhile?: () => Promise<void>,
  ): Invoicing {
    const { stage } = this;
    const reach = (step: Step): void => {
      if (step === fallsAt) throw new Fallen(step);
    };
    const between = meanwhile === undefined ? [] : [meanwhile];
    const stream = new SystemStream(stage.log);
    const parts: InvoicingParts = {
      pool: keeping(pool, reach),
      log: stage.log,
      system: {
        read: (fold) => stream.read(fold),
        appendOnce: (callId, fold, decide) => stream.appendOnce(callId, fold, decide),
        appendAll: async (fold, decide) => {
          reach('before numbering');
          const written = await stream.appendAll(fold, decide);
          reach('after numbering');
          return written;
        },
      },
      accounting: {
        submit: async (submission) => {
          reach('before sealing');
          await between.pop()?.();
          const answer = await stage.accounting.submit(submission);
          reach('after sealing');
          return answer;
        },
      },
      projections: stage.projections,
      calendar: terms.calendar,
      clock: { now: () => stage.now },
      render: async (inputs) => {
        reach('while rendering');
        return inputs.map(renderDocuments);
      },
      logger: stage.logger,
      closeMonths: () => stage.closeMonths(),
    };
    return new Invoicing(parts);
  }

  /** Waits until all rows hold what stands in the log. */
  catchUp(): Promise<void> {
    return caughtUp(this.stage);
  }
}

/** A pool whose process falls where documents are kept; the issued ones, which are PDFs too. */
function keeping(pool: pg.Pool, reach: (step: Step) => void): pg.Pool {
  return new Proxy(pool, {
    get(target, name, receiver) {
      if (name !== 'query') return Reflect.get(target, name, receiver) as unknown;
      return async (...asked: [Statement | string, ...unknown[]]) => {
        const [statement] = asked;
        const isIssue =
          typeof statement !== 'string' &&
          statement.name === 'documents-save' &&
          statement.values?.[2]?.includes('application/pdf') === true;
        if (isIssue) reach('before keeping documents');
        const result: unknown = await target.query(...(asked as [string]));
        if (isIssue) reach('after keeping documents');
        return result;
      };
    },
  });
}

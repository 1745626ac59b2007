import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { pipeline } from 'node:stream/promises';
import { Command, InvalidArgumentError } from 'commander';
import type pg from 'pg';
import type { LogEnds } from '#rest/exports/export-source.js';
import { SystemChanges } from '#deciding/changes/system-changes.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { storedProjections } from '#event-log/projection-state.js';
import { verifyLog } from '#ledger/lane-threads/verify-log.js';
import { allProjections } from '#ledger/projections/projections.js';
import { Profiles } from '#ledger/texts/profiles.js';
import { AdminTokens } from '#rest/admin-tokens/admin-tokens.js';
import { TokenUses } from '#rest/admin-tokens/token-uses.js';
import { AuditReads } from '#rest/audit/audit-reads.js';
import { evidenceEntries, type EvidenceParts } from '#rest/evidence/evidence-pack.js';
import { Exports } from '#rest/exports/exports.js';
import { FocusExport } from '#rest/exports/focus-export.js';
import { zipPieces } from '#rest/exports/zip-pieces.js';
import { MemberRows } from '#rest/members/member-rows.js';
import { ActorNames } from '#rest/operators/actor-names.js';
import { OperatorRows } from '#rest/operators/operator-rows.js';
import type { Foundations } from '#service/foundations.js';
import { ProblemException } from '#web/problem.js';
import { StartupError } from '#web/startup-error.js';
import { callerPath } from './admin/caller-path.js';
import { threadsFor, withPatience } from './log-tool-work.js';
import type { WithLog } from './release-commands.js';
import { webhookSecret } from './webhook-secret.js';

const LOOK_MS = 100;

function monthLabel(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('A month like 2026-11.');
}

function partsOf(pool: pg.Pool, foundations: Foundations): EvidenceParts {
  const { calendar, clock, system, reads, configuration, databaseUrl } = foundations;
  const log = new PostgresEventLog(pool);
  const projections = allProjections(calendar);
  /** Rows are kept up by the service; without one they stay as they are. */
  const catchUp = async (name: string, _ends: LogEnds, waitMs: number): Promise<boolean> => {
    for (const end = Date.now() + waitMs; ; await wait(LOOK_MS)) {
      const states = await storedProjections(pool, projections);
      if (states.find((one) => one.name === name)?.behind === 0) return true;
      if (Date.now() > end) return false;
    }
  };
  const focus = new FocusExport({ pool, log, system, reads, calendar, clock });
  const changes = new SystemChanges(system, clock);
  const uses = new TokenUses(pool, () => undefined);
  const profiles = new Profiles(pool);
  const tokens = new AdminTokens({ pool, system, changes, profiles, uses, clock });
  const actors = new ActorNames(tokens, new OperatorRows(pool), new MemberRows(pool));
  return {
    pool,
    calendar,
    system,
    exports: new Exports({ pool, log, system, projections: { catchUp }, calendar, clock, focus }),
    audit: new AuditReads({ pool, log, actors, signIns: { flush: async () => undefined } }),
    verify: () =>
      verifyLog(
        pool,
        projections,
        { calendar },
        {
          threads: threadsFor(databaseUrl),
          webhookSecret: webhookSecret(configuration),
        },
      ),
  };
}

/** A file is there whole or not at all. */
async function write(
  pool: pg.Pool,
  foundations: Foundations,
  month: string,
  output: string,
): Promise<number> {
  const file = callerPath(output);
  const part = `${file}.part`;
  try {
    const pieces = zipPieces(evidenceEntries(partsOf(pool, foundations), month));
    await pipeline(pieces, createWriteStream(part));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    if (!(error instanceof ProblemException)) throw error;
    throw new StartupError(`popindex: no evidence of ${month}: ${error.message}`, { cause: error });
  }
  process.stderr.write(`${file}\n`);
  return 0;
}

/** `popindex evidence MONTH`: one ZIP for auditors. */
export function evidenceCommand(withLog: WithLog): Command {
  return new Command('evidence')
    .description('one ZIP of a month for auditors, with a script that checks it offline')
    .argument('<month>', 'the month, 2026-11', monthLabel)
    .option('--output <file>', 'file to write; unless given, evidence-MONTH.zip')
    .addHelpText('after', '\nExample:\n  popindex evidence 2026-11')
    .action((month: string, { output = `evidence-${month}.zip` }: { output?: string }) =>
      withLog((foundations) =>
        withPatience(foundations.databaseUrl, (pool) => write(pool, foundations, month, output)),
      ),
    );
}

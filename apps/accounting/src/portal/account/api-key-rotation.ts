import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import pg from 'pg';
import { z } from 'zod';
import { isOver, momentOf } from '#account/state.js';
import type { Clock } from '#calendar/clock.js';
import { AccountLoader } from '#ledger/account-loader.js';
import { findIssuedKey } from '#ledger/api-keys.js';
import { findProfiles } from '#ledger/profiles.js';
import { problem, ProblemException } from '#web/problem.js';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Made } from '#deciding/changes/made.js';
import type { IssuedApiKeyView } from '../../accounts/api-key-view.js';
import { originOf, type Change } from '#deciding/changes/change.js';
import { commandIdOf } from '#deciding/command-id.js';
import { CommandIds } from '#deciding/changes/command-ids.js';
import { IssueApiKeyCommand } from '../../accounts/issue-api-key.handler.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { CLOCK } from '#rest/operation/ports.js';

const OVERLAP_HOURS_MAX = 168;
const HOUR_MS = 3_600_000;

/** Body of `POST /api-keys/{id}/rotate`. */
export const rotateApiKeyBody = z.strictObject({
  overlap_hours: z.int().min(0).max(OVERLAP_HOURS_MAX).meta({
    description: 'How long the old key still works beside the new one; 0: not at all.',
  }),
});

/** A new key in the place of another: first the new one is there, then the old one ends. */
@Injectable()
export class ApiKeyRotation {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(AccountChanges) private readonly changes: AccountChanges,
    @Inject(AccountLoader) private readonly loader: AccountLoader,
    @Inject(CommandIds) private readonly ids: CommandIds,
    @Inject(pg.Pool) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws a ProblemException for a key that is over. A retry completes what broke off. */
  async rotate(
    accountId: string,
    keyId: string,
    change: Change,
    overlapHours: number,
  ): Promise<Made<IssuedApiKeyView>> {
    const state = await knownAccount(this.loader, accountId);
    const at = momentOf(state, this.clock.now());
    const { idempotencyKey: name } = change;
    // Both changes stand under names of their own, so that a retry finds what is done of them.
    const newId = name === null ? null : commandIdOf(accountId, name);
    const isDone = newId !== null && (await findIssuedKey(this.pool, accountId, newId));
    const old = await findIssuedKey(this.pool, accountId, keyId);
    if (old === undefined) throw refused('not-found', 'The account has no such API key.');
    const isActive = state.apiKeys.some((key) => key.id === keyId && !isOver(key, at));
    if (!isActive && !isDone) throw refused('conflict', 'The API key is revoked or has expired.');
    const { id: profile } = old.profile;
    const label = (await findProfiles(this.pool, [profile])).get(profile)?.label ?? 'Key';
    const asked = { label, scopes: [...old.scopes], expires_at: null };
    const made = await this.commands.execute(new IssueApiKeyCommand(accountId, change, asked));
    await this.end(accountId, keyId, change, at + overlapHours * HOUR_MS, at);
    return made;
  }

  private async end(
    accountId: string,
    keyId: string,
    change: Change,
    expiresAt: number,
    at: number,
  ): Promise<void> {
    const { idempotencyKey: name } = change;
    // The first change has made another version of the account than the one it was meant for.
    const second: Change = {
      ...change,
      ifMatch: undefined,
      idempotencyKey: name === null ? null : `${name} end`,
    };
    const id = this.ids.next(accountId, second);
    const origin = originOf(second, 'Rotated.');
    const isNow = expiresAt <= at;
    await this.changes.submit(
      accountId,
      id,
      second,
      isNow
        ? { command: 'revoke-api-key', origin, keyId, wasIssued: true }
        : { command: 'end-api-key', origin, keyId, expiresAt, wasIssued: true },
    );
  }
}

function refused(type: 'not-found' | 'conflict', detail: string): ProblemException {
  return new ProblemException(problem(type, detail));
}

import type pg from 'pg';
import { formatInstant, formatMoment } from '#calendar/instant.js';
import type { Clock } from '#calendar/clock.js';
import { SYSTEM_ACCOUNT } from '#event-log/event-log.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { pageBy } from '../operation/queries.js';
import { findProfiles, type Profiles } from '#projections/texts/profiles.js';
import { problem, ProblemException } from '#web/problem.js';
import type { PageQuery } from '#web/query.js';
import type { Table } from '#web/table-answer.js';
import type { ChangeResult } from '#deciding/changes/change-result.js';
import type { Change } from '#deciding/changes/change.js';
import type { WithoutOrigin, SystemChanges } from '#deciding/changes/system-changes.js';
import {
  ADMIN_TOKEN_ISSUED,
  ADMIN_TOKEN_REVOKED,
  type AdminTokenIssued,
  type AdminTokenRevoked,
} from './admin-token-events.js';
import type { AdminToken, IssueAdminToken, NewAdminToken } from './admin-token.schemas.js';
import {
  ADMIN_TOKENS,
  type IssuedToken,
  type IssuedTokens,
  statusOf,
  type TokenStatus,
} from './issued-token.js';
import { newAdminToken, ADMIN_TOKEN_PREFIX } from './new-admin-token.js';
import type { TokenUses } from './token-uses.js';

export interface AdminTokensParts {
  readonly system: Pick<SystemStream, 'read'>;
  readonly changes: SystemChanges;
  readonly profiles: Profiles;
  readonly pool: pg.Pool;
  readonly uses: TokenUses;
  readonly clock: Clock;
}

/** A token with what it is at the moment. */
export type FoundToken = IssuedToken & { readonly status: TokenStatus };

/** Idempotency keys of changes to tokens name one change among all of them. */
const SCOPE = 'admin-tokens';
/** All of them are gone through when one is issued or revoked. */
const TOKENS_MAX = 1_000;

/** The named admin tokens, from the system's stream. */
export class AdminTokens {
  constructor(private readonly parts: AdminTokensParts) {}

  /**
   * The token of this SHA-256 (hex), also once it is over. It looks into the log each time, so that
   * a token which another process has revoked opens nothing any more. Throws LogUnavailableError.
   */
  async find(hash: string): Promise<FoundToken | undefined> {
    const { clock, uses } = this.parts;
    const token = (await this.all()).find(hash);
    if (token === undefined) return undefined;
    const now = clock.now();
    const status = statusOf(token, now);
    if (status === 'active') uses.note(token.id, now);
    return { ...token, status };
  }

  /** Issues a token, whose id is its command's. Its secret is in this one answer. */
  async issue(change: Change, body: IssueAdminToken): Promise<ChangeResult<NewAdminToken>> {
    const { changes, profiles, clock } = this.parts;
    const { name, role, expires_at: expiresAt } = body;
    const issue = changes.of(SCOPE, change);
    const { id } = issue;
    const { token, hash, lastFour } = newAdminToken();
    const profile = await profiles.save(issue.profileId, SYSTEM_ACCOUNT, { name });
    const { value, replayed } = await issue.append(ADMIN_TOKENS, (tokens) => {
      refuseTooMany(tokens.countActive(clock.now()));
      if (expiresAt !== null && expiresAt <= clock.now()) throw expired(clock.now());
      const data: WithoutOrigin<AdminTokenIssued> = {
        token_id: id,
        role,
        hash,
        last_four: lastFour,
        expires_at: expiresAt === null ? null : formatInstant(expiresAt),
        profile,
      };
      return { type: ADMIN_TOKEN_ISSUED, data };
    });
    // A retry is answered as the first request was, also once the token was revoked.
    const made = value.get(id);
    if (made === undefined) throw new Error(`Command ${id} issued no admin token.`);
    const view = adminTokenView({ ...made, revokedAt: null }, name, clock.now(), null);
    return { view: replayed ? view : { ...view, token }, replayed };
  }

  /** Revokes a token at once; doing it again changes nothing. */
  async revoke(tokenId: string, change: Change): Promise<ChangeResult<null>> {
    const revocation = this.parts.changes.of(SCOPE, change);
    const { replayed } = await revocation.append(ADMIN_TOKENS, (tokens) => {
      const token = tokens.get(tokenId);
      if (token === undefined) {
        throw new ProblemException(problem('not-found', 'There is no such admin token.'));
      }
      if (token.revokedAt !== null) return null;
      const data: WithoutOrigin<AdminTokenRevoked> = { token_id: tokenId };
      return { type: ADMIN_TOKEN_REVOKED, data };
    });
    return { view: null, replayed };
  }

  /** All there ever were, in the order in which they were issued. Throws BadCursorError. */
  async list(query: PageQuery): Promise<Table<AdminToken>> {
    const page = pageBy(query);
    const { items: shown, next } = page([...(await this.all()).all()]);
    const names = await this.names(shown.map(({ id }) => id));
    const uses = await this.parts.uses.read(shown.map(({ id }) => id));
    const now = this.parts.clock.now();
    const items = shown.map((token) =>
      adminTokenView(token, names.get(token.id) ?? null, now, uses.get(token.id) ?? null),
    );
    return { items, next };
  }

  /** Names by id; ids of no token, and names that were erased, are absent. */
  async names(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const all = await this.all();
    const tokens = [...new Set(ids)].flatMap((id) => all.get(id) ?? []);
    const rows = await findProfiles(
      this.parts.pool,
      tokens.map(({ profile }) => profile),
    );
    return new Map(
      tokens.flatMap(({ id, profile }) => {
        const name = rows.get(profile)?.name;
        return name === undefined ? [] : [[id, name] as const];
      }),
    );
  }

  private async all(): Promise<IssuedTokens> {
    return this.parts.system.read(ADMIN_TOKENS);
  }
}

function refuseTooMany(active: number): void {
  if (active < TOKENS_MAX) return;
  const detail = `There are ${TOKENS_MAX} admin tokens already: revoke one first.`;
  throw new ProblemException(problem('conflict', detail));
}

function expired(now: number): ProblemException {
  return new ProblemException(
    problem('conflict', `expires_at must lie in the future: after ${formatMoment(now)}.`),
  );
}

/** A token as lists show it; `now` and `usedAt` in ms since 1970. */
function adminTokenView(
  token: IssuedToken,
  name: string | null,
  now: number,
  usedAt: number | null,
): AdminToken {
  const { id, role, lastFour, issuedBy, issuedAt, expiresAt, revokedAt } = token;
  return {
    id,
    name,
    role,
    prefix: ADMIN_TOKEN_PREFIX,
    last_four: lastFour,
    status: statusOf(token, now),
    issued_by: issuedBy,
    issued_at: formatMoment(issuedAt),
    expires_at: expiresAt === null ? null : formatInstant(expiresAt),
    revoked_at: revokedAt === null ? null : formatMoment(revokedAt),
    last_used_at: usedAt === null ? null : formatMoment(usedAt),
  };
}

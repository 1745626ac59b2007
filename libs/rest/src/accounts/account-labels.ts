import { isDeepStrictEqual } from 'node:util';
import { conflict } from '#account/refusal.js';
import type { Profile } from '#projections/texts/profiles.js';
import { ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import { PAIRS_MAX, type ChangeAccount } from './account.schemas.js';

/** Name, external id and metadata of an account: they stand in one row, and in no event. */
export type Labels = Pick<Profile, 'name' | 'external_id' | 'metadata'>;

/** The labels after a change; undefined: it changes none. Throws a ProblemException. */
export function changedLabels(
  { name, external_id, metadata }: Labels,
  change: Pick<ChangeAccount, 'name' | 'external_id' | 'metadata'>,
): Labels | undefined {
  const before = labelsOf(name, external_id ?? null, metadata ?? {});
  const pairs = Object.entries({ ...metadata, ...change.metadata });
  const kept = Object.fromEntries(
    pairs.flatMap(([key, value]) => (value === null ? [] : [[key, value] as const])),
  );
  if (Object.keys(kept).length > PAIRS_MAX) {
    throw new ProblemException(
      refusalProblem(
        conflict(`Metadata has at most ${PAIRS_MAX} pairs: remove some with null as their value.`),
      ),
    );
  }
  const id = change.external_id === undefined ? (external_id ?? null) : change.external_id;
  const after = labelsOf(change.name ?? name, id, kept);
  return isDeepStrictEqual(before, after) ? undefined : after;
}

/** Without what is empty, so that rows of accounts without labels stay as they were. */
export function labelsOf(
  name: string | undefined,
  externalId: string | null,
  metadata: Readonly<Record<string, string>>,
): Labels {
  return {
    ...(name !== undefined && { name }),
    ...(externalId !== null && { external_id: externalId }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

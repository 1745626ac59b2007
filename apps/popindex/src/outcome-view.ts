import type { ImportOutcome } from '#popularity/import-release.js';
import { releaseView } from '#rest/system/release-view.js';

/** The outcome of an import as `--json` prints it; the members depend on `outcome`. */
export function outcomeView(result: ImportOutcome): Readonly<Record<string, unknown>> {
  switch (result.outcome) {
    case 'published': {
      const { olderThan, ...rest } = result;
      const view = releaseView(result.release, []);
      return { ...rest, release: { ...view, older_than: olderThan?.release ?? null } };
    }
    case 'unchanged':
      return { ...result, release: releaseView(result.release, []) };
    case 'checked': {
      const { olderThan, ...rest } = result;
      return { ...rest, older_than: olderThan?.release ?? null };
    }
    case 'refused':
    case 'faulty':
      return { ...result };
  }
}

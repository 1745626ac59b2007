import { rm } from 'node:fs/promises';
import path from 'node:path';
import { writeDemoRelease } from '#popularity/demo/demo-release.js';
import { importRelease } from '#popularity/import-release.js';
import type { Foundations } from '#service/foundations.js';

/** The last month that is complete at a moment, `YYYY-MM-01`. */
function monthBefore({ calendar }: Foundations, at: number): string {
  const thisMonth = calendar.monthAt(at);
  return `${calendar.monthAt(thisMonth.startsAt - 1).label}-01`;
}

/** Loads the demo data of a moment as the first release. Throws when it is refused. */
export async function loadDemoData(foundations: Foundations, at: number): Promise<void> {
  const { configuration, pool, system, calendar, clock, releases } = foundations;
  // In a place of its own, so that a start which is killed leaves nothing that the next one keeps.
  const folder = path.join(configuration.dataDir, 'demo-release');
  try {
    await writeDemoRelease(folder, monthBefore(foundations, at));
    const dependencies = { pool, stream: system, windows: calendar, clock };
    const result = await importRelease(dependencies, folder);
    if (result.outcome !== 'published') throw new Error(`Demo data: ${JSON.stringify(result)}`);
    await releases.refresh();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import type { AnswerOutcome, Release } from '#popularity/releases.js';
import { RESOURCES, type Resource } from '#rating/resource.js';
import type { PortalReleases } from '#rest/catalog/ports.js';

export const SKINCARE = 'b2a6a7d0-6c4e-4a56-9d0b-2f1d1f6d2c01';
export const SERUM = 'b2a6a7d0-6c4e-4a56-9d0b-2f1d1f6d2c02';
export const BRAND = 'b2a6a7d0-6c4e-4a56-9d0b-2f1d1f6d2c03';
const DASHBOARD = 'http://127.0.0.1:3003/dashboard';
const ROWS: Readonly<Record<string, number>> = { top5: 5, top100: 40, all: 300 };

/** Two small releases in memory: r1 serves from 2026w45, r2 from 2026w47. */
export class MemoryReleases implements PortalReleases {
  readonly releases: Release[] = [
    { label: 'r1', window: '2026w45', through: '2026-09-01' },
    { label: 'r2', window: '2026w47', through: '2026-10-01' },
  ];
  asked = 0;

  onTakenBack(): void {
    // None of these is.
  }

  serving(window: string): Release | undefined {
    return this.releases.findLast((release) => release.window <= window);
  }

  first(): Release | undefined {
    return this.releases[0];
  }

  byLabel(label: string): Release | undefined {
    return this.releases.find((release) => release.label === label);
  }

  published(): never[] {
    return [];
  }

  async answer(release: Release, resource: Resource): Promise<AnswerOutcome> {
    this.asked += 1;
    const id = idOf(resource);
    if (id === undefined) {
      return { outcome: 'unknown-item', detail: 'The release holds no such item.' };
    }
    if (resource.region === 'kr') return { outcome: 'no-data', detail: 'No row in that region.' };
    const rows = resource.resource === 'timeseries' ? 12 : (ROWS[resource.limit] ?? 5);
    const data = dataOf(release, resource, id, rows);
    return { outcome: 'found', answer: { rows, data, unchangedSince: release.window } };
  }
}

function idOf(resource: Resource): string | undefined {
  switch (resource.resource) {
    case 'related-trends': {
      const known = resource.level === 'cat5' ? SERUM : SKINCARE;
      return resource.category === known ? known : undefined;
    }
    case 'timeseries': {
      const known = resource.type === 'brand' ? BRAND : SERUM;
      return resource.item === known ? known : undefined;
    }
    case 'trends':
    case 'brands':
      return ['beauty', 'skincare'].includes(resource.category) ? SKINCARE : undefined;
  }
}

/** The text of `data` without its costs and its closing brace (specification 2.2 to 2.5). */
function dataOf(release: Release, resource: Resource, id: string, rows: number): string {
  const numbers = Array.from({ length: rows }, (_, index) => index + 1);
  const region = resource.region;
  if (resource.resource === 'timeseries') {
    const place = resource.type === 'brand' ? 'brands' : 'categories';
    const timeseries = numbers.map((month) => ({
      date: `${2022 + Math.floor((month + 10) / 12)}-${String(((month + 10) % 12) + 1).padStart(2, '0')}-01`,
      real_volume: month * 10.5 + (release.label === 'r2' ? 1 : 0),
    }));
    return open({
      [`${resource.type}_id`]: id,
      dashboard: `${DASHBOARD}/${place}/${id}?country=${region}`,
      timeseries,
    });
  }
  const related = resource.resource === 'related-trends';
  const group = related ? `related=${resource.group}&` : '';
  return open({
    [`${resource.level}_id`]: id,
    ...(!related && { [`${resource.level}_label`]: 'Skincare' }),
    dashboard: `${DASHBOARD}/categories/${id}?${group}country=${region}`,
    [RESOURCES[resource.resource].list]: numbers.map((rank) => itemOf(resource, rank)),
  });
}

function itemOf(resource: Resource, rank: number): object {
  const leaf = resource.resource === 'related-trends' && resource.level === 'cat5';
  const prefix = resource.resource === 'brands' ? 'brand' : leaf ? 'related_trend' : 'cat5';
  return {
    [`${prefix}_id`]: `b2a6a7d0-6c4e-4a56-9d0b-${String(rank).padStart(12, '0')}`,
    [`${prefix}_label`]: `Item ${rank}`,
    ...(leaf && { life_cycle: null }),
    rank,
    popularity: 1000.5 / rank,
    yoy_percent_increase: 12.5,
    yoy_absolute_increase: 10,
    qoq_percent_increase: -3.25,
    qoq_absolute_increase: -2,
    mom_percent_increase: null,
    mom_absolute_increase: null,
    google_share_percent: 0.5,
    tiktok_share_percent: 0.25,
    instagram_share_percent: 0.25,
  };
}

function open(data: object): string {
  return JSON.stringify(data).slice(0, -1);
}

import type { SoldData } from '../../rest/answers.js';

export type MonthPoint = NonNullable<SoldData['timeseries']>[number];

/** `2026-10-01`, 12 → `2025-10-01` */
export function monthsBefore(date: string, months: number): string {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() - months);
  return at.toISOString().slice(0, 10);
}

/** Every month from the first to the last; one without a volume is a gap, not a zero. */
export function withGaps(points: readonly MonthPoint[]) {
  const volumes = new Map(points.map(({ date, real_volume: volume }) => [date, volume]));
  const filled: { date: string; value: number | null }[] = [];
  const last = points.at(-1)?.date ?? '';
  for (let date = points[0]?.date ?? 'none'; date <= last; date = monthsBefore(date, -1)) {
    filled.push({ date, value: volumes.get(date) ?? null });
  }
  return filled;
}

const DAY_MS = 86_400_000;

/** How far the clocks of a zone are ahead of UTC at a moment, in ms. */
function aheadMs(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at);
  const part = (name: string) => parts.find(({ type }) => type === name)?.value ?? '';
  const local = `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}Z`;
  return Date.parse(local) - Math.floor(at / 1_000) * 1_000;
}

/** The moment at which a day begins in a zone: `2026-11-24`, `Asia/Seoul` → `2026-11-23T15:00…`. */
export function startOfDay(day: string, zone: string): string {
  const utc = Date.parse(`${day}T00:00:00Z`);
  const near = utc - aheadMs(utc, zone);
  return new Date(utc - aheadMs(near, zone)).toISOString();
}

/** Whether clocks in two zones ever differ in the year around now. */
export function differs(one: string, other: string): boolean {
  const now = Date.now();
  return [0, 91, 182, 273].some((days) => {
    const at = now + days * DAY_MS;
    return aheadMs(at, one) !== aheadMs(at, other);
  });
}

/** Names that browsers still give to zones, and those that these have now. */
const CURRENT: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** A zone by the name that it has now: `Asia/Calcutta` → `Asia/Kolkata`. */
export function currentZoneName(zone: string): string {
  return CURRENT[zone] ?? zone;
}

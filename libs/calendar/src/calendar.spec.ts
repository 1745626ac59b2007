import { Calendar } from './calendar.js';
import { formatInstant, parseInstant } from './instant.js';

const HOUR = 3_600_000;

function at(text: string): number {
  const instant = parseInstant(text);
  if (instant === undefined) throw new Error(`${text} is no instant`);
  return instant;
}

function table<Row extends string[]>(text: string): Row[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/) as Row);
}

const FIXED_POINTS = `
  2020-12-29T00:00:00Z      2020w53
  2021-01-04T23:59:59.999Z  2020w53
  2021-01-05T00:00:00Z      2021w01
  2024-12-31T00:00:00Z      2025w01
  2024-12-30T23:59:59.999Z  2024w52
  2025-12-30T00:00:00Z      2026w01
  2026-05-26T00:00:00Z      2026w22
  2026-06-01T23:59:59Z      2026w22
  2026-11-21T04:39:25Z      2026w47
  2026-12-29T00:00:00Z      2026w53
  2027-01-04T23:59:59.999Z  2026w53
`;

// Zone, label, start, local start, hours. Times are those of the IANA time zone database.
const UNUSUAL_WEEKS = `
  America/New_York     2026w10  2026-03-03T05:00:00Z  2026-03-03T00:00:00-05:00  167
  America/New_York     2026w44  2026-10-27T04:00:00Z  2026-10-27T00:00:00-04:00  169
  Pacific/Auckland     2026w39  2026-09-21T12:00:00Z  2026-09-22T00:00:00+12:00  167
  Pacific/Auckland     2026w14  2026-03-30T11:00:00Z  2026-03-31T00:00:00+13:00  169
  Australia/Lord_Howe  2026w40  2026-09-28T13:30:00Z  2026-09-29T00:00:00+10:30  167.5
  Australia/Lord_Howe  2026w14  2026-03-30T13:00:00Z  2026-03-31T00:00:00+11:00  168.5
  Asia/Kolkata         2026w10  2026-03-02T18:30:00Z  2026-03-03T00:00:00+05:30  168
  Africa/Cairo         2026w17  2026-04-20T22:00:00Z  2026-04-21T00:00:00+02:00  167
  Africa/Cairo         2026w44  2026-10-26T21:00:00Z  2026-10-27T00:00:00+03:00  169
  Pacific/Apia         2011w52  2011-12-27T10:00:00Z  2011-12-27T00:00:00-10:00  144
  Pacific/Fakaofo      2011w52  2011-12-27T11:00:00Z  2011-12-27T00:00:00-11:00  144
  Pacific/Kiritimati   1994w52  1994-12-27T10:00:00Z  1994-12-27T00:00:00-10:00  144
  Pacific/Kwajalein    1993w33  1993-08-17T12:00:00Z  1993-08-17T00:00:00-12:00  144
  Antarctica/Vostok    1994w04  1994-01-24T17:00:00Z  1994-01-25T00:00:00+07:00  175
  Antarctica/Vostok    1994w44  1994-11-01T00:00:00Z  1994-11-01T07:00:00+07:00  161
  Antarctica/Casey     2010w09  2010-03-01T13:00:00Z  2010-03-02T00:00:00+11:00  171
  America/Caracas      2007w49  2007-12-04T04:00:00Z  2007-12-04T00:00:00-04:00  168.5
  America/Sao_Paulo    2004w45  2004-11-02T03:00:00Z  2004-11-02T01:00:00-02:00  167
  America/Mendoza      1991w42  1991-10-15T04:00:00Z  1991-10-15T01:00:00-03:00  167
  America/Rio_Branco   2008w26  2008-06-24T05:00:00Z  2008-06-24T01:00:00-04:00  167
  Africa/Tunis         1990w18  1990-04-30T23:00:00Z  1990-05-01T01:00:00+02:00  167
  Asia/Damascus        2003w14  2003-03-31T22:00:00Z  2003-04-01T01:00:00+03:00  167
  Asia/Hebron          2011w35  2011-08-29T22:00:00Z  2011-08-30T01:00:00+03:00  167
  Asia/Tehran          2011w12  2011-03-21T20:30:00Z  2011-03-22T01:00:00+04:30  167
`;

const MONTHS = `
  UTC                2026-11  2026-11-01T00:00:00Z  2026-12-01T00:00:00Z
  UTC                2026-12  2026-12-01T00:00:00Z  2027-01-01T00:00:00Z
  UTC                2024-02  2024-02-01T00:00:00Z  2024-03-01T00:00:00Z
  Europe/Berlin      2026-03  2026-02-28T23:00:00Z  2026-03-31T22:00:00Z
  Pacific/Apia       2011-12  2011-12-01T10:00:00Z  2011-12-31T10:00:00Z
  Pacific/Kiritimati 1994-12  1994-12-01T10:00:00Z  1994-12-31T10:00:00Z
  America/St_Johns   2009-11  2009-11-01T02:30:00Z  2009-12-01T03:30:00Z
`;

describe('a window', () => {
  const utc = new Calendar('UTC');

  it.each(table<[string, string]>(FIXED_POINTS))('at %s is %s', (instant, label) => {
    expect(utc.windowAt(at(instant)).label).toBe(label);
  });

  it('runs from Tuesday 00:00 to the next, start included and end not', () => {
    const window = utc.windowAt(at('2026-11-17T00:00:00Z'));
    expect(window.label).toBe('2026w47');
    expect(formatInstant(window.startsAt)).toBe('2026-11-17T00:00:00Z');
    expect(formatInstant(window.endsAt)).toBe('2026-11-24T00:00:00Z');
    expect(utc.windowAt(window.endsAt).label).toBe('2026w48');
    expect(utc.windowAt(window.startsAt - 1).label).toBe('2026w46');
  });

  it.each(table<[string, string, string, string, string]>(UNUSUAL_WEEKS))(
    'in %s %s begins at %s, locally %s, and lasts %s hours',
    (zone, label, start, localStart, hours) => {
      const calendar = new Calendar(zone);
      const window = calendar.windowAt(at(start));
      expect(window.label).toBe(label);
      expect(formatInstant(window.startsAt)).toBe(start);
      expect(calendar.localTime(window.startsAt)).toBe(localStart);
      expect((window.endsAt - window.startsAt) / HOUR).toBe(Number(hours));
      expect(calendar.windowOf(label)).toEqual(window);
    },
  );

  it('follows the one before it and comes before the next, over the end of a long year', () => {
    const last = utc.windowOf('2026w53');
    if (last === undefined) throw new Error('2026 has 53 weeks');
    expect(utc.nextWindow(last)).toEqual(utc.windowOf('2027w01'));
    expect(utc.previousWindow(last)).toEqual(utc.windowOf('2026w52'));
  });

  it.each(['2026w54', '2026w7', '2025w53', '2026w00', 'latest', '2026W47', ''])(
    'is not called %j',
    (label) => expect(utc.windowOf(label)).toBeUndefined(),
  );

  it('is answered for every label of the years 1000 to 9999', () => {
    for (const label of ['1000w01', '1583w10', '9999w52']) {
      expect(utc.windowOf(label)?.label).toBe(label);
      expect(new Calendar('Africa/Monrovia').windowOf(label)?.label).toBe(label);
    }
  });
});

describe('a month', () => {
  it.each(table<[string, string, string, string]>(MONTHS))(
    'in %s %s runs from %s to %s',
    (zone, label, start, end) => {
      const calendar = new Calendar(zone);
      const month = calendar.monthOf(label);
      expect(month && [month.startsAt, month.endsAt].map(formatInstant)).toEqual([start, end]);
      expect(calendar.monthAt(at(start))).toEqual(month);
      expect(calendar.monthAt(at(end) - 1)).toEqual(month);
      expect(calendar.monthAt(at(end))).not.toEqual(month);
    },
  );

  it.each(['2026-13', '2026-00', '2026-1', '2026', '', '2026-11-01', '0900-01'])(
    'is not called %j',
    (label) => expect(new Calendar('UTC').monthOf(label)).toBeUndefined(),
  );
});

describe('a day', () => {
  it('is left out where the zone left it out', () => {
    const apia = new Calendar('Pacific/Apia');
    const [before, after] = [at('2011-12-30T09:59:59.999Z'), at('2011-12-30T10:00:00Z')];
    expect([before, after].map((t) => apia.dayAt(t).label)).toEqual(['2011-12-29', '2011-12-31']);
    expect(apia.startOfDate('2011-12-30')).toBe(after);
    expect(apia.startOfDate('2011-12-31')).toBe(after);
  });

  it('goes on where the clock is put back over the midnight it began with', () => {
    // St. John's put the clock back from 00:01 to 23:01 at the first minute of November 2009.
    const stJohns = new Calendar('America/St_Johns');
    const start = stJohns.startOfDate('2009-11-01');
    const second = start + 60_000;
    expect(stJohns.localTime(start)).toBe('2009-11-01T00:00:00-02:30');
    expect(stJohns.localTime(second)).toBe('2009-10-31T23:01:00-03:30');
    expect(stJohns.dayAt(second).label).toBe('2009-11-01');
    expect(stJohns.monthAt(second).label).toBe('2009-11');
    expect(stJohns.monthAt(start - 1).label).toBe('2009-10');
  });

  it('has 23, 24 or 25 hours', () => {
    const berlin = new Calendar('Europe/Berlin');
    const hours = ['2026-03-29', '2026-06-01', '2026-10-25'].map((date) => {
      const day = berlin.dayAt(berlin.startOfDate(date));
      expect(day.label).toBe(date);
      return (day.endsAt - day.startsAt) / HOUR;
    });
    expect(hours).toEqual([23, 24, 25]);
  });

  it.each(['2026-02-30', '2026-11', 'yesterday', ''])('%j is no date', (date) => {
    expect(() => new Calendar('UTC').startOfDate(date)).toThrow(RangeError);
  });
});

describe('a calendar', () => {
  it.each(['Foo/Bar', '', '+01:00', '-05:00', 'Europe/', 'UTC+1'])('knows no zone %j', (zone) => {
    expect(() => new Calendar(zone)).toThrow(RangeError);
  });

  it('shows local time with its offset, and decimals only where there are some', () => {
    const kolkata = new Calendar('Asia/Kolkata');
    expect(kolkata.zone).toBe('Asia/Kolkata');
    expect(kolkata.localTime(at('2026-11-23T18:30:00Z'))).toBe('2026-11-24T00:00:00+05:30');
    expect(kolkata.localTime(at('2026-11-23T18:29:59.999Z'))).toBe('2026-11-23T23:59:59.999+05:30');
    expect(new Calendar('UTC').localTime(at('2026-11-24T00:00:00Z'))).toBe('2026-11-24T00:00:00Z');
    expect(() => kolkata.localTime(NaN)).toThrow(RangeError);
  });
});

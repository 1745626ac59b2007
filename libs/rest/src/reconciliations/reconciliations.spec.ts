import { itemsOf, type Answered } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';

const stage = adminStage();

describe('a log of the customer', () => {
  const ASKED = '/v1/latest/cat1/trends/all/popindex/us/beauty';

  /** Four calls, a minute apart, and what the customer has written down of them. */
  async function logged(): Promise<{ path: string; ids: string[]; times: string[] }> {
    const id = await stage.prepaid();
    const ids: string[] = [];
    const times: string[] = [];
    for (let minute = 0; minute < 4; minute += 1) {
      ids.push((await stage.call(id)).id);
      times.push(new Date(stage.now + 3_000).toISOString());
      stage.now += 60_000;
    }
    return { path: `/admin/v1/accounts/${id}/reconciliations`, ids, times };
  }

  function reconcile(path: string, raw: string, type = 'text/csv', accept = 'application/json') {
    return stage.ask('POST', path, { raw, headers: { 'content-type': type, accept } });
  }

  it('is matched with the calls, and each difference is named with its line', async () => {
    const { path, ids, times } = await logged();
    const rows = [
      'Time,URL,Call-Id,Credits,Status',
      `${times[0]},https://api.example.com${ASKED}?x=1,${ids[0]},50000,200`,
      `${times[1]},${ASKED},,10,200`,
      `${times[2]},${ASKED},${ids[2]},99,200`,
      `${times[2]},${ASKED},,,402`,
      `${times[3]},/v1/account,,,200`,
      `2026-11-24T10:00:00Z,${ASKED},,,304`,
    ];
    const { status, json } = await reconcile(path, rows.join('\r\n'));
    expect(status).toBe(201);
    expect(json).toMatchObject({
      rows: 4,
      ignored_rows: 2,
      calls: 4,
      matched: 2,
      missing_here: 1,
      missing_there: 1,
      different: 1,
      tolerance_seconds: 5,
      differences: [
        { kind: 'different', in: ['credits'], line: 4, call_id: ids[2], logged_credits: 99 },
        { kind: 'missing_there', line: null, call_id: ids[3], credits: 10 },
        { kind: 'missing_here', line: 7, call_id: null },
      ],
    });
    const csv = await reconcile(path, rows.join('\n'), 'text/csv', 'text/csv');
    expect(csv.text.split('\r\n')[2]).toMatch(new RegExp(`^missing_there,,,,,,${ids[3]},`));
    const strict = await reconcile(`${path}?tolerance_seconds=2`, rows.join('\n'));
    expect(strict.json).toMatchObject({ calls: 4, matched: 0, missing_here: 2, different: 2 });
  });

  it('without its first and last row is found short where the span is given', async () => {
    const { path, ids, times } = await logged();
    const rows = [1, 2].map((n) => `${times[n]},${ASKED},${ids[n]}`);
    const log = ['time,url,call_id', ...rows].join('\n');
    const spanOf = ({ json }: Answered) => [json['matched'], json['from'], json['to']];
    const lacking = ({ json }: Answered) =>
      (json['differences'] as { call_id: string }[]).map(({ call_id: id }) => id);

    const plain = await reconcile(path, log);
    expect([lacking(plain), spanOf(plain)]).toEqual([[], [2, times[1], times[2]]]);
    const [from, to] = [times[0], new Date(stage.now).toISOString()];
    // The first call is 3 s before the first row would be.
    const later = await reconcile(`${path}?from=${from}&to=${to}`, log);
    expect([lacking(later), spanOf(later)]).toEqual([[ids[3]], [2, from, to]]);
    const whole = await reconcile(`${path}?from=2026-11-01&to=${to}`, log);
    expect(lacking(whole)).toEqual([ids[0], ids[3]]);
    const behind = new Date(Date.parse(times[1] ?? '') + 1).toISOString();
    const first = await reconcile(`${path}?to=${behind}`, log);
    expect(first.json).toMatchObject({ rows: 1, ignored_rows: 1, matched: 1, calls: 1 });
    const none = await reconcile(
      `${path}?from=2026-11-01&to=9999-12-31&tolerance_seconds=3600`,
      'time,url',
    );
    expect(lacking(none)).toEqual(ids);
    const turned = await reconcile(`${path}?from=${to}&to=${from}`, log);
    expect([turned.status, turned.json['code']]).toEqual([400, 'invalid-parameter']);
  });

  it('leaves its sums and differences, page by page, for its account alone', async () => {
    const { path, ids, times } = await logged();
    const row = (n: number): string => `${times[0]},${ASKED},${ids[0]?.slice(0, -12)}${n}`;
    const numbers = Array.from({ length: 1_500 }, (_, n) => 100_000_000_000 + n);
    const { json } = await reconcile(path, ['time,url,call_id', ...numbers.map(row)].join('\n'));
    const { differences: _first, ...sums } = json;
    const kept = `${path}/${String(json['id'])}`;
    expect(sums).toMatchObject({ missing_here: 1_500, kept_differences: 1_500 });
    expect((await stage.ask('GET', kept)).json).toEqual(sums);
    expect(itemsOf(await stage.ask('GET', path))).toEqual([sums]);
    const seen: Record<'asc' | 'desc', unknown[]> = { asc: [], desc: [] };
    for (const order of ['asc', 'desc'] as const) {
      for (let after = ''; seen[order].length < 1_500;) {
        const asked = `${kept}/differences?order=${order}&limit=700${after}`;
        const { json: page } = await stage.ask('GET', asked);
        const items = page['items'] as object[];
        expect(items.length).toBeGreaterThan(0);
        seen[order].push(...items);
        after = `&after=${String(page['next'])}`;
      }
    }
    expect(seen.asc.slice(0, 1_000)).toEqual(json['differences']);
    expect(seen.desc.toReversed()).toEqual(seen.asc);
    const csv = await stage.ask('GET', `${kept}/differences`, { headers: { accept: 'text/csv' } });
    expect(csv.text.trim().split('\r\n')).toHaveLength(1_501);
    const other = `/admin/v1/accounts/${await stage.account()}/reconciliations`;
    expect(itemsOf(await stage.ask('GET', other))).toEqual([]);
    expect((await stage.ask('GET', `${other}/${String(json['id'])}/differences`)).status).toBe(404);
  });

  it('leaves nothing but the newest ten results', async () => {
    const { path, times } = await logged();
    const made: unknown[] = [];
    for (let n = 0; n < 12; n += 1) {
      const { json } = await reconcile(path, `time,url\n${times[0]},${ASKED}\n`);
      made.push(json['id']);
    }
    const items = itemsOf(await stage.ask('GET', path));
    expect(items.map(({ id }) => id)).toEqual(made.slice(2));
  });

  it('is taken as JSON lines too, and the CSV of the calls themselves agrees', async () => {
    const { path, ids, times } = await logged();
    const lines = ids.map((call_id, n) => JSON.stringify({ time: times[n], url: ASKED, call_id }));
    const { json } = await reconcile(path, `${lines.join('\n')}\n`, 'application/x-ndjson');
    expect(json).toMatchObject({ rows: 4, matched: 4, differences: [] });
    const calls = path.replace('reconciliations', 'calls');
    const own = await stage.ask('GET', calls, { headers: { accept: 'text/csv' } });
    expect((await reconcile(path, own.text)).json).toMatchObject({ rows: 4, matched: 4 });
  });

  it.each<[string, string, string, number, readonly string[]]>([
    ['nothing in it', 'text/csv', '', 400, ['no column "time" and no "url"']],
    ['no header', 'text/csv', 'a,b\n1,2\n', 400, ['no column "time" and no "url"']],
    [
      'faults in lines',
      'text/csv',
      `time,url,call_id\nnow,${ASKED},\n2026-11-24T09:00:00Z,${ASKED},x\n`,
      400,
      ['Line 2: The time "now"', 'Line 3: The Call-Id "x"'],
    ],
    [
      'no JSON',
      'application/x-ndjson',
      '{}\n{"time"\n',
      400,
      ['Line 1:', 'Line 2: This is no JSON'],
    ],
    [
      'a number that would be rounded',
      'application/jsonl',
      `{"time":"2026-11-24T09:00:00Z","url":"${ASKED}","credits":1.0000000000000001}\n`,
      400,
      ['Line 1: The number 1.0000000000000001 is not held exactly'],
    ],
    ['the same as application/jsonl', 'application/jsonl', '{}\n', 400, ['Line 1:']],
    ['another type', 'application/json', '{}', 415, []],
  ])('with %s is refused', async (_what, type, text, status, details) => {
    const { path } = await logged();
    const refused = await reconcile(path, text, type);
    expect(refused.status).toBe(status);
    const errors = (refused.json['errors'] ?? []) as { detail: string }[];
    expect(errors.map(({ detail }) => detail)).toEqual(
      details.map((detail) => expect.stringContaining(detail)),
    );
  });

  it('in a type that nothing takes is refused with those that a log may have', async () => {
    const { path } = await logged();
    const { status, json } = await reconcile(path, 'a\tb', 'text/tab-separated-values');
    expect(status).toBe(415);
    expect(json['detail']).toContain('text/csv, application/x-ndjson, application/jsonl only');
  });

  it('in another type is refused where no stream is taken', async () => {
    const { path } = await logged();
    expect((await reconcile(path.replace('reconciliations', 'grants'), 'a,b')).status).toBe(415);
  });
});

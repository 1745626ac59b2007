import { ofLanes } from './of-lanes.js';

const THESE = `lane = any ('{1,2}'::int2[])`;

function written(text: string): string {
  return ofLanes(text, [1, 2]);
}

test.each([
  ['select * from event', `select * from (select * from event where ${THESE}) event`],
  ['select 1 from event e', `select 1 from (select * from event where ${THESE}) e`],
  [
    'from wanted w left join ledger_account as a on a.lane = w.lane',
    `from wanted w left join (select * from ledger_account where ${THESE}) a on a.lane = w.lane`,
  ],
  [
    'join event using (lane, call_id)',
    `join (select * from event where ${THESE}) event using (lane, call_id)`,
  ],
  [
    'exists (select from invoice where id = $1)',
    `exists (select from (select * from invoice where ${THESE}) invoice where id = $1)`,
  ],
])('a table that is read is read for these lanes: %s', (text, expected) => {
  expect(written(text)).toBe(expected);
});

test.each([
  'select * from profile p join invoice_number n on n.document_id = p.id',
  'select * from unnest($1::int2[]) as wanted (lane)',
  'select extract(epoch from e.at) as event, null::invoice from eventual',
  'insert into event select * from json_populate_recordset(null::event, $1)',
  'insert into checkpoint values ($1) on conflict (lane) do update set position = 1',
])('what is no table of the lanes stays as it is: %s', (text) => {
  expect(written(text)).toBe(text);
});

test.each([
  [
    'delete from held_invoice h where h.id = $1 or h.id = $2',
    `delete from held_invoice h where h.${THESE} and ( h.id = $1 or h.id = $2)`,
  ],
  [
    'update invoice set paid = (select 1 where true) from part p where id = p.id returning id',
    `update invoice set paid = (select 1 where true) from part p where invoice.${THESE} and ( id = p.id )returning id`,
  ],
  [
    'with gone as (delete from dispute d using lane l where d.lane = l.lane) select 1 from gone where true',
    `with gone as (delete from dispute d using (select * from lane where ${THESE}) l where d.${THESE} and ( d.lane = l.lane)) select 1 from gone where true`,
  ],
])('a table that is changed is changed for these lanes: %s', (text, expected) => {
  expect(written(text)).toBe(expected);
});

test('a change without a condition is none of some lanes', () => {
  expect(() => written('update lane set position = 0')).toThrow(
    'A change of lane has no condition',
  );
});

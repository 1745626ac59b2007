import { Stage } from '../test-adapters/backup-scene.js';
import { BACKED_UP_TABLES, LOG_TABLES, REBUILT_TABLES } from './backed-up-tables.js';

test('every table of the database is the log, backed up or built again: none is forgotten', async () => {
  const stage = await Stage.open();
  try {
    const { rows } = await stage.pool.query<{ name: string }>(
      `select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
    );
    const found = rows.map(({ name }) => name).filter((name) => name !== 'migration');
    const listed = [...LOG_TABLES, ...BACKED_UP_TABLES, ...REBUILT_TABLES];
    expect(listed.toSorted()).toEqual(found);
  } finally {
    await stage.close();
  }
});

test('no table draws numbers from a sequence: a restore would not move it on', async () => {
  const stage = await Stage.open();
  try {
    const { rows } = await stage.pool.query(
      `select sequencename from pg_sequences
        where schemaname = 'public' and sequencename not like 'migration%'`,
    );
    expect(rows).toEqual([]);
  } finally {
    await stage.close();
  }
});

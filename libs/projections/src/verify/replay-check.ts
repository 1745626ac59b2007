import pg from 'pg';
import { isTransient } from '#database/errors.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { collectChanges, type Projection, type RowChanges } from '#event-log/projection.js';
import type { LaneFindings } from './findings.js';

interface Difference {
  readonly row_key: Readonly<Record<string, unknown>>;
  readonly expected: Readonly<Record<string, unknown>> | null;
  readonly found: Readonly<Record<string, unknown>> | null;
  readonly total: number;
}

/**
 * Temporary tables of the same names as a projection's, which the connection then finds first. A
 * statement that it prepared before finds them only after a change of its search path.
 */
export async function createReplayTables(
  client: pg.ClientBase,
  projections: readonly Projection[],
): Promise<void> {
  for (const table of projections.flatMap(({ tables }) => tables).map(pg.escapeIdentifier)) {
    await client.query(
      `create temporary table ${table} (like ${table} including all) on commit delete rows`,
    );
  }
  await client.query(
    `select set_config('search_path', current_setting('search_path') || ', information_schema', false)`,
  );
}

/** So many rows wait in memory before they are written. */
const ROWS_MAX = 20_000;

/**
 * Replays the events of one lane through a projection, up to its checkpoint, into temporary tables,
 * and compares them with the rows that serve. All of it in the transaction under way.
 */
export class ReplayCheck {
  private readonly changes: RowChanges;
  private failed: string | undefined;
  private readonly left: Map<string, number>;

  constructor(
    private readonly client: pg.ClientBase,
    private readonly findings: LaneFindings,
    private readonly projection: Projection,
    /** Where it stands in this lane. */
    private readonly checkpoint: number,
    /** Accounts that it has left, and at which position. */
    left: ReadonlyMap<string, number> = new Map(),
  ) {
    this.changes = collectChanges(projection);
    this.left = new Map(left);
  }

  /** Of the projection. */
  get name(): string {
    return this.projection.name;
  }

  add(event: StoredEvent): void {
    if (event.position > this.checkpoint || this.failed !== undefined) return;
    if (event.position >= (this.left.get(event.accountId) ?? Infinity)) return;
    try {
      this.changes.add(event);
    } catch (error) {
      // Of an account that was left the event that cannot be applied may stand before the place.
      if (this.left.has(event.accountId)) this.left.set(event.accountId, event.position);
      else this.failed = String(error);
    }
  }

  /** To be called now and then, so that not too much waits in memory. */
  async writeMany(): Promise<void> {
    if (this.changes.size >= ROWS_MAX) await this.write();
  }

  async end(): Promise<void> {
    await this.write();
    if (this.failed !== undefined) {
      const key = `lane ${this.findings.lane}, projection ${this.projection.name}`;
      const expected = 'events that can be applied';
      this.findings.add('projections', { table: 'event', key, expected, found: this.failed });
      return;
    }
    for (const table of this.projection.tables) await this.compare(table);
  }

  private async write(): Promise<void> {
    if (this.changes.size === 0 || this.failed !== undefined) return;
    await this.client.query('savepoint replay');
    try {
      await this.changes.write(this.client);
      await this.client.query('release savepoint replay');
    } catch (error) {
      if (isTransient(error)) throw error;
      await this.client.query('rollback to savepoint replay');
      this.failed = String(error);
    }
  }

  private async compare(table: string): Promise<void> {
    const { key, serving } = await shapeOf(this.client, table);
    const { rows } = await this.client.query<Difference>(
      comparison(pg.escapeIdentifier(table), serving, key, this.projection.laterColumns?.[table]),
      [this.findings.lane],
    );
    const [first] = rows;
    if (first === undefined) return;
    const { expected, found } = onlyDifferent(first);
    const at = Object.entries(first.row_key).map(([column, value]) => `${column} ${String(value)}`);
    this.findings.add('projections', { table, key: at.join(', '), expected, found }, first.total);
  }
}

/**
 * The first row of a lane that only one of the tables has, or that they do not have alike. A row
 * that serves may lack a `later` column.
 */
function comparison(
  table: string,
  serving: string,
  key: readonly string[],
  later: string | undefined,
): string {
  const name = `${later === undefined ? 'null' : pg.escapeLiteral(later)}::text`;
  const columns = key.map(pg.escapeIdentifier).join(', ');
  const members = key.map((name) => `${pg.escapeLiteral(name)}, ${pg.escapeIdentifier(name)}`);
  return `select json_build_object(${members.join(', ')}) as row_key,
                 count(*) over ()::int as total,
                 to_json(replayed) as expected, to_json(serving) as found
            from (select ${columns}, t as replayed from pg_temp.${table} t where lane = $1) r
            full join (select ${columns}, t as serving from ${serving} t where lane = $1) s
                 using (${columns})
           where replayed::text is distinct from serving::text
             and (to_jsonb(serving) - ${name} = to_jsonb(replayed) - ${name}
                  and to_jsonb(serving) ->> ${name} is null) is not true
           order by ${columns} limit 1`;
}

interface TableShape {
  /** Columns of the primary key of the table that serves. */
  readonly key: readonly string[];
  /** That table's name, which no temporary one hides. */
  readonly serving: string;
}

/** The same in every lane: asked for once on a connection. */
const SHAPES = new WeakMap<pg.ClientBase, Map<string, TableShape>>();

async function shapeOf(client: pg.ClientBase, table: string): Promise<TableShape> {
  const shapes = SHAPES.get(client) ?? new Map<string, TableShape>();
  SHAPES.set(client, shapes);
  const known = shapes.get(table);
  if (known !== undefined) return known;
  const key = await keyColumns(client, table);
  const shape = { key, serving: await servingTable(client, table) };
  shapes.set(table, shape);
  return shape;
}

async function keyColumns(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>({
    name: 'verify-key-columns',
    text: `select a.attname as name
             from pg_index i
             join unnest(i.indkey) with ordinality as k (attnum, nth) on true
             join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
            where i.indisprimary
              and i.indrelid = (quote_ident(current_schema()) || '.' || quote_ident($1))::regclass
            order by k.nth`,
    values: [table],
  });
  if (rows.length === 0) throw new Error(`Table ${table} has no primary key.`);
  return rows.map(({ name }) => name);
}

async function servingTable(client: pg.ClientBase, table: string): Promise<string> {
  const { rows } = await client.query<{ schema: string }>('select current_schema() as schema');
  return `${pg.escapeIdentifier(rows[0]?.schema ?? 'public')}.${pg.escapeIdentifier(table)}`;
}

/** Of two rows the columns in which they differ; all of a row that stands alone. */
function onlyDifferent({ expected, found }: Difference): Pick<Difference, 'expected' | 'found'> {
  if (expected === null || found === null) return { expected, found };
  const names = Object.keys(expected).filter(
    (name) => JSON.stringify(expected[name]) !== JSON.stringify(found[name]),
  );
  const pick = (row: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(names.map((name) => [name, row[name]]));
  return { expected: pick(expected), found: pick(found) };
}

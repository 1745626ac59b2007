import type pg from 'pg';

/** Every one of these answers with data. Shuffled, the same way each time. */
const PATHS = `
with related as (
  select distinct '/v1/latest/cat5/related-trends/' || l.name || '/popindex/' || f.region || '/'
         || c.id || '/' || r.group_name as path
    from release_relation r
    join release_category c on c.load = r.load and c.first = r.category and c.level = 5
    join release_figure f on f.load = r.load and f.item = r.related
   cross join (values ('top5'), ('top100'), ('all')) as l (name)
   where r.load = $1
), series as (
  select '/v1/latest/' || case when b.id is null then 'cat5' else 'brand' end
         || '/timeseries/popindex/' || s.region || '/' || s.item as path
    from release_series s
    left join release_brand b on b.load = s.load and b.id = s.item
   where s.load = $1
)
select path from (select path from related union all select path from series) as every
 order by md5(path)`;

/** Paths of related trends and time series of a load, thousands of them. */
export async function demoPaths(pool: pg.Pool, load: number): Promise<string[]> {
  const { rows } = await pool.query<{ path: string }>(PATHS, [load]);
  return rows.map(({ path }) => path);
}

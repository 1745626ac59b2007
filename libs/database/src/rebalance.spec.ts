import type pg from 'pg';
import { rebalance } from './rebalance.js';

const LOST = Object.assign(new Error('could not open file "base/job_cache": No such file'), {
  code: '58P01',
});
const PLANNED = { state: 'running', done: 0, total: 2, detail: null, faults: [] };

/** A cluster that answers to being asked for its job, time after time; the last answer stays. */
function clusterSaying(...answers: readonly (object | Error)[]): pg.ClientBase {
  let asked = 0;
  const query = async (text: string): Promise<object> => {
    if (text.includes('pg_dist_local_group')) return { rows: [{ known: false }], rowCount: 0 };
    if (!text.includes('where j.job_id')) return { rows: [{ id: '7' }] };
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    if (answer instanceof Error) throw answer;
    return { rows: [answer] };
  };
  return { query } as unknown as pg.ClientBase;
}

test('what may heal is said once and asked again', async () => {
  const cluster = clusterSaying(LOST, LOST, PLANNED, { ...PLANNED, state: 'finished', done: 2 });
  const said: string[] = [];
  const result = await rebalance(cluster, { onFault: (what) => said.push(what) }, 1);
  expect(result).toEqual({ outcome: 'moved', moves: 2, detail: null });
  expect(said).toEqual([LOST.message]);
});

test('each move that the cluster tries again is said', async () => {
  const failing = (again: string) => ({
    ...PLANNED,
    faults: [`ERROR: no connection (try ${again})`],
  });
  const finished = { ...PLANNED, state: 'finished', done: 2 };
  const said: string[] = [];
  const onFault = (what: string): void => void said.push(what);
  await rebalance(clusterSaying(failing('1'), failing('1'), failing('2'), finished), { onFault });
  expect(said).toEqual(['ERROR: no connection (try 1)', 'ERROR: no connection (try 2)']);
});

test('what does not heal ends it with why, and what was moved', async () => {
  const cluster = clusterSaying({ ...PLANNED, done: 1 }, LOST);
  expect(await rebalance(cluster, {}, 1)).toEqual({
    outcome: 'failed',
    moves: 1,
    detail: LOST.message,
  });
});

test('what is no outage is thrown', async () => {
  const refused = Object.assign(new Error('permission denied'), { code: '42501' });
  await expect(rebalance(clusterSaying(refused), {}, 1)).rejects.toThrow(refused);
});

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Answer, AnswerOutcome, Release } from '#popularity/releases.js';
import type { Resource } from '#rating/resource.js';
import { answerName } from '#rest/metered-paths/locate.js';
import { AnswerCache } from './answer-cache.js';

const RELEASE: Release = { label: 'r1', window: '2026w45', through: '2026-09-01' };
const RESOURCE: Resource = {
  resource: 'trends',
  level: 'cat1',
  limit: 'all',
  region: 'us',
  category: 'beauty',
};

/** Releases whose every answer has the length named. */
class Answers {
  asked = 0;
  constructor(readonly length: number) {}
  serving = () => RELEASE;
  first = () => RELEASE;
  byLabel = () => RELEASE;
  async answer(): Promise<AnswerOutcome> {
    this.asked += 1;
    const answer: Answer = {
      rows: 1,
      data: `{"text":"${'x'.repeat(this.length)}"`,
      unchangedSince: '2026w45',
    };
    return { outcome: 'found', answer };
  }
}

async function found(cache: AnswerCache, key: string) {
  const outcome = await cache.find(key, RELEASE, RESOURCE);
  if (outcome.outcome !== 'found') throw new Error(outcome.problem.detail);
  return outcome.answer;
}

describe('the cache of answers', () => {
  it('asks once for a key and a release, however many ask at once', async () => {
    const releases = new Answers(10);
    const cache = new AnswerCache(releases);
    const [one, two] = await Promise.all([found(cache, '/a'), found(cache, '/a')]);
    expect(one).toBe(two);
    expect(await found(cache, '/a')).toBe(one);
    expect(releases.asked).toBe(1);
    expect(cache.kept(answerName('/b', RELEASE))).toBeUndefined();
  });

  it('makes the envelope with the charge, in every coding the same', async () => {
    const answer = await found(new AnswerCache(new Answers(5000)), '/v1/2026w47/x');
    const plain = await answer.body([10, 25], 'identity');
    expect(JSON.parse(plain.toString())).toEqual({
      key: '/v1/2026w47/x',
      credits_used: 35,
      data: { text: 'x'.repeat(5000), call_cost: 10, data_cost: 25 },
    });
    expect(gunzipSync(await answer.body([10, 25], 'gzip')).equals(plain)).toBe(true);
    expect(brotliDecompressSync(await answer.body([10, 25], 'br')).equals(plain)).toBe(true);
    expect(JSON.parse((await answer.body([10, 0], 'identity')).toString())).toMatchObject({
      credits_used: 10,
    });
  });

  it('keeps finished bytes, and compresses once for all who wait', async () => {
    const answer = await found(new AnswerCache(new Answers(5000)), '/a');
    const [one, two] = await Promise.all([answer.body([10, 0], 'br'), answer.body([10, 0], 'br')]);
    expect(one).toBe(two);
    expect(answer.body([10, 0], 'br')).toBe(one);
  });

  it('stays below its bytes, and what nobody has asked for again goes first', async () => {
    const cache = new AnswerCache(new Answers(10_000), 50_000);
    for (const key of ['/a', '/b', '/c', '/d']) await found(cache, key);
    expect(cache.kept(answerName('/a', RELEASE))).toBeDefined();
    await found(cache, '/e');
    expect(cache.kept(answerName('/b', RELEASE))).toBeUndefined();
    expect(cache.kept(answerName('/a', RELEASE))).toBeDefined();
    expect(cache.bytes).toBeLessThanOrEqual(50_000);
  });

  it('counts the bodies that it keeps', async () => {
    const cache = new AnswerCache(new Answers(10_000), 1_000_000);
    const answer = await found(cache, '/a');
    const before = cache.bytes;
    const body = await answer.body([10, 0], 'identity');
    expect(cache.bytes).toBe(before + body.length);
    expect(answer.bytes).toBe(cache.bytes);
  });

  it('forgets an answer that alone is too large, and still gives it', async () => {
    const cache = new AnswerCache(new Answers(10_000), 5000);
    const answer = await found(cache, '/a');
    expect((await answer.body([10, 0], 'identity')).length).toBeGreaterThan(10_000);
    expect(cache.kept(answerName('/a', RELEASE))).toBeUndefined();
    expect(cache.bytes).toBe(0);
  });
});

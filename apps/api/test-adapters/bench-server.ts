import { bearer, createTestApi } from './test-api.js';

/** The API with a Charging that only answers: what is left is the cost of HTTP itself. */
async function main(): Promise<void> {
  const api = await createTestApi({
    charging: () => ({
      charge: async (request) => ({
        outcome: 'charged',
        replayed: false,
        charged: {
          callId: request.callId,
          at: api.clock.time,
          balance: 1_000_000,
          call: {
            key: request.key,
            release: request.release,
            api_key: request.apiKey,
            rows: request.rows,
            kind: 'repeat',
            cost: [10, 0],
            card: 1,
            rule: 'top 5',
            draws: [[1, 10]],
            balance: 1_000_000,
          },
        },
      }),
      quote: async () => ({ outcome: 'refused', refusal: { reason: 'key-invalid' } }),
    }),
  });
  const rateLimit = { perSecond: 10_000_000, burst: 10_000_000 };
  const { authorization } = bearer(api.key(api.account(), { rateLimit }));
  await api.app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
  process.stdout.write(`${authorization}\n`);
}

await main();

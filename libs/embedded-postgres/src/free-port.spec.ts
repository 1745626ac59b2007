import { freePort } from './free-port.js';

const MANY = 200;

test('no port is given twice, although nobody listens on any yet', async () => {
  const ports = await Promise.all(Array.from({ length: MANY }, freePort));
  expect(new Set(ports).size).toBe(MANY);
});

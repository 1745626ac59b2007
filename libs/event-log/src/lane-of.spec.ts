import fc from 'fast-check';
import { LANES_OF_ACCOUNTS, laneOf, SYSTEM_ACCOUNT, SYSTEM_LANE } from './event-log.js';

test('the lane of an account is the last two bytes of its id modulo 64, plus 1, for ever', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.boolean(), (id, isUpper) => {
      const lane = (Buffer.from(id.replaceAll('-', ''), 'hex').readUInt16BE(14) % 64) + 1;
      expect(laneOf(isUpper ? id.toUpperCase() : id)).toBe(lane);
      expect(LANES_OF_ACCOUNTS).toContain(lane);
    }),
  );
});

test('the stream of the system has a lane of its own, which no other account has', () => {
  expect(laneOf(SYSTEM_ACCOUNT)).toBe(SYSTEM_LANE);
  expect(laneOf(`1${SYSTEM_ACCOUNT.slice(1)}`)).toBe(1);
});

test('a text that ends as no id does has no lane', () => {
  expect(laneOf('accounts')).toBeNaN();
});

import { LOG_POSITIONS_LOST, STANDING_LOSSES } from '#event-log/log-losses.js';
import { NOTHING } from '#event-log/fold.js';
import { adminStageOfEachTest } from '../../../../test/setup/stages.js';

const stage = adminStageOfEachTest();
const lanes = [{ lane: 0, from: 12, to: 9 }];
const reason = 'The standby lagged.';

async function lose(): Promise<void> {
  const data = { by: 'system', request: '', input: '', lanes };
  const event = { callId: null, type: LOG_POSITIONS_LOST, at: stage.now, data };
  await stage.stream.append(NOTHING, () => event);
}

it('ends every loss that stands, and says which', async () => {
  await lose();
  const answer = await stage.post('/log/acknowledge', { reason });
  expect([answer.status, answer.json]).toEqual([200, { acknowledged: lanes }]);
  expect(await stage.stream.read(STANDING_LOSSES)).toEqual([]);
});

it('does nothing where no loss stands, and takes no request without a reason', async () => {
  const nothing = await stage.post('/log/acknowledge', { reason });
  expect([nothing.status, nothing.json]).toEqual([200, { acknowledged: [] }]);
  expect((await stage.post('/log/acknowledge', {})).status).toBe(400);
});

it('is the same under one idempotency key, whatever was lost since', async () => {
  await lose();
  const first = await stage.post('/log/acknowledge', { reason }, 'k');
  await lose();
  const again = await stage.post('/log/acknowledge', { reason }, 'k');
  expect(again.json).toEqual(first.json);
  expect(await stage.stream.read(STANDING_LOSSES)).toEqual(lanes);
});

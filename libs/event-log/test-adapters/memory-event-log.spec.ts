import { eventLogContract } from '../src/contract.suite.js';
import { MemoryEventLog } from './memory-event-log.js';
import { raceContract } from '../src/race.suite.js';

describe('the log in memory', () => {
  eventLogContract(async () => {
    const log = new MemoryEventLog();
    return {
      log,
      interrupt: async (interruption) => log.interruptNext(interruption),
      restore: async () => undefined,
      close: async () => undefined,
    };
  });

  raceContract(async () => ({ log: new MemoryEventLog(), close: async () => undefined }));
});

import type { Decider } from '#deciding/submission.js';
import { answerSubmission, DeciderLink } from '#deciding/threads/decider-link.js';
import { Channel, type Message, type MessagePort } from '#workers/channel.js';
import type { Prng } from './prng.js';
import type { Scheduler } from './scheduler.js';
import type { MessageFaults } from './setting.js';

export interface DeciderMailParts {
  readonly name: string;
  /** Whose end takes away what is on its way. */
  readonly owner: object;
  readonly scheduler: Scheduler;
  readonly prng: Prng;
  readonly faults: () => MessageFaults;
}

/**
 * A decider behind messages, as in a thread of its own. They arrive in order, each in a step of
 * its own, perhaps twice, or never. Then callers are answered as by a thread that is blocked.
 */
export function deciderMail(decider: Decider, parts: DeciderMailParts): DeciderLink {
  const { name, owner, scheduler, prng, faults } = parts;
  const way = (what: string) => {
    const texts: string[] = [];
    let listener: (messages: readonly Message[]) => void = () => undefined;
    const arrive = (): void => listener(JSON.parse(texts.shift() ?? '[]') as Message[]);
    const send: MessagePort['send'] = (messages) => {
      const { lost, twice } = faults();
      if (prng.chance(lost)) {
        const run = (): void => link.giveUpLate(Infinity);
        return scheduler.add({ owner, name: `${name} gives up`, run });
      }
      for (let times = prng.chance(twice) ? 2 : 1; times > 0; times -= 1) {
        texts.push(JSON.stringify(messages));
        scheduler.add({ owner, name: `${name} ${what}`, run: arrive });
      }
      return undefined;
    };
    const onMessages: MessagePort['onMessages'] = (given) => (listener = given);
    return { send, onMessages };
  };
  const [there, back] = [way('is asked'), way('answers')];
  const link = new DeciderLink(new Channel({ ...there, onMessages: back.onMessages }, {}));
  const answers = { submit: answerSubmission(decider) };
  new Channel({ ...back, onMessages: there.onMessages }, answers);
  return link;
}

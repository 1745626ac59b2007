import type { Decider } from '#deciding/submission.js';
import { DeciderLink } from '#deciding/threads/decider-link.js';
import { DeciderPort } from '#deciding/threads/decider-port.js';
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
  const way = (what: string, receive: (text: string) => void) => {
    const texts: string[] = [];
    const arrive = (): void => receive(texts.shift() ?? '[]');
    return (text: string): void => {
      const { lost, twice } = faults();
      if (prng.chance(lost)) {
        const run = (): void => link.giveUpLate(Infinity);
        return scheduler.add({ owner, name: `${name} gives up`, run });
      }
      for (const one of prng.chance(twice) ? [text, text] : [text]) {
        texts.push(one);
        scheduler.add({ owner, name: `${name} ${what}`, run: arrive });
      }
    };
  };
  const link: DeciderLink = new DeciderLink(way('is asked', (text) => port.receive(text)));
  const port = new DeciderPort(
    decider,
    way('answers', (text) => link.receive(text)),
  );
  return link;
}

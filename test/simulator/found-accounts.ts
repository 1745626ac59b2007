import type { Command } from '#account/commands.js';
import { decide } from '#account/decide.js';
import { grantCredits, issueApiKey, openAccount, terms, TUESDAY } from '#account/scenario.suite.js';
import { laneOf, type EventLog, type NewEvent } from '#event-log/event-log.js';
import { hashEvent } from '#event-log/hash-chain.js';
import { follow, unopened } from '#projections/snapshots/account-tail.js';
import type { AccountSetting } from './setting.js';

/** When the accounts were opened: an hour before anything else happens. */
const OPENED_AT = TUESDAY - 3_600_000;

function commandsFor(setting: AccountSetting): Command[] {
  const { credits, overdraft, testClock, lowBalance, plan } = setting;
  const clock = testClock ? TUESDAY : null;
  return [
    openAccount({ overdraft, test: testClock, testClock: clock, lowBalance, plan }),
    issueApiKey(),
    grantCredits(credits),
  ];
}

function eventsOf(setting: AccountSetting): NewEvent[] {
  const events: NewEvent[] = [];
  let account = unopened;
  commandsFor(setting).forEach((command, number) => {
    const { events: decided, own } = decide(account.state, command, OPENED_AT, terms);
    decided.forEach((event, index) => {
      const columns = {
        accountId: setting.id,
        accountVersion: account.state.version + 1,
        callId: index === own ? setting.id.replace('-8000-', `-a00${number}-`) : null,
        type: event.type,
        at: event.at,
        data: JSON.stringify(event.data),
      };
      events.push({ ...columns, hash: hashEvent(account.head, columns) });
      account = follow(account, { ...columns, lane: laneOf(setting.id), position: 0 });
    });
  });
  return events;
}

/** Writes the first events of each account straight into the log. */
export async function foundAccounts(
  store: EventLog,
  accounts: readonly AccountSetting[],
): Promise<void> {
  for (const setting of accounts) {
    const [end] = await store.ends([laneOf(setting.id)]);
    if (end === undefined) throw new Error('The lane has no end.');
    await store.append([{ end, events: eventsOf(setting) }]);
  }
}

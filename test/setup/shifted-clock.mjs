// Loaded with `node --import` into a process of the service: its wall clock is off by what the file
// CLOCK_SHIFT_FILE says, in milliseconds, and follows when the file changes. Its monotonic clock
// goes on, as when somebody sets the clock of a machine.
import { readFileSync } from 'node:fs';

const RealDate = Date;
const realNow = Date.now.bind(Date);
const LOOK_MS = 20;
let shiftMs = 0;

function look() {
  try {
    shiftMs = Number(readFileSync(process.env.CLOCK_SHIFT_FILE ?? '', 'utf8')) || 0;
  } catch {
    shiftMs = 0;
  }
}

look();
setInterval(look, LOOK_MS).unref();

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(realNow() + shiftMs);
    else super(...args);
  }

  static now() {
    return realNow() + shiftMs;
  }
};

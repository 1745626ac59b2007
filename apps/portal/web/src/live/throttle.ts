export interface Throttle<Name> {
  readonly mark: (name: Name) => void;
  readonly stop: () => void;
}

/** Runs `work` for a name at once, then at most once per interval, the last mark never lost. */
export function throttle<Name>(
  intervalOf: (name: Name) => number,
  work: (name: Name) => void,
): Throttle<Name> {
  const resting = new Map<Name, { again: boolean; timer: ReturnType<typeof setTimeout> }>();
  const run = (name: Name): void => {
    work(name);
    const timer = setTimeout(() => {
      const rest = resting.get(name);
      resting.delete(name);
      if (rest?.again) run(name);
    }, intervalOf(name));
    resting.set(name, { again: false, timer });
  };
  return {
    mark: (name) => {
      const rest = resting.get(name);
      if (rest === undefined) run(name);
      else rest.again = true;
    },
    stop: () => {
      for (const { timer } of resting.values()) clearTimeout(timer);
      resting.clear();
    },
  };
}

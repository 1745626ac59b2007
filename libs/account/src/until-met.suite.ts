import fc from 'fast-check';

/** So often that what one check in ten lacks is met. */
const CHECKS_MAX = 100;

/**
 * Checks a property, which fails at once where it does not hold, until its histories have met what
 * the test wants to have seen: one check of random ones may lack what is rare.
 */
export async function untilMet<Values>(
  property: fc.IRawProperty<Values>,
  settings: fc.Parameters<Values>,
  isMet: () => boolean,
): Promise<void> {
  for (let checks = 0; checks < CHECKS_MAX; checks += 1) {
    await fc.assert(property, settings);
    if (isMet()) return;
  }
}

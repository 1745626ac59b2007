import type { MailSettings } from '#deliveries/send-mail.js';
import { AdminStage } from './admin-stage.js';
import { forAllTests, forEachTest } from './for-all-tests.js';
import { PortalStage } from './portal-stage.js';

type PortalSettings = Parameters<typeof PortalStage.open>[0];

/** The admin REST for all tests of a spec. An error that it logs fails the spec. */
export function adminStage(mail?: MailSettings): AdminStage {
  return forAllTests(() => AdminStage.open(undefined, mail), closeSound);
}

/** One for each test. */
export function adminStageOfEachTest(): AdminStage {
  return forEachTest(() => AdminStage.open(), closeSound);
}

/** The portal beside an admin REST for all tests of a spec. An error of either fails the spec. */
export function portalStage(settings?: PortalSettings): PortalStage {
  return forAllTests(() => PortalStage.open(settings), closeSoundPortal);
}

/** One for each test. */
export function portalStageOfEachTest(): PortalStage {
  return forEachTest(() => PortalStage.open(), closeSoundPortal);
}

async function closeSound(stage: AdminStage): Promise<void> {
  await stage.close();
  expect(stage.errors).toEqual([]);
}

async function closeSoundPortal(stage: PortalStage): Promise<void> {
  await stage.close();
  expect(stage.admin.errors).toEqual([]);
}

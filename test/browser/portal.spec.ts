import { describeInBrowser } from './browser.js';
import { describeDashboards } from './dashboards.suite.js';
import { describeFailedPages } from './failed-pages.suite.js';
import { describeFirstLoad } from './first-load.suite.js';
import { describeOutage } from './outage.suite.js';
import { describePortalForms } from './portal-forms.suite.js';
import { describePortalPages } from './portal-pages.suite.js';
import { describePortalUsage } from './portal-usage.suite.js';
import { Stage } from './stage.js';
import { describeSteadyPages } from './steady-pages.suite.js';
import { describeWalk } from './walk.suite.js';

describeInBrowser('the portal', () => {
  const stage = Stage.ofFile({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  describePortalPages(stage);
  describePortalUsage(stage);
  describePortalForms(stage);
  describeDashboards(stage);
  describeFirstLoad(stage);
  describeSteadyPages(stage);
  describeWalk(stage);
  describeFailedPages(stage);
  describeOutage(stage);
});

export const EXAMPLES = {
  relatedTrends: {},
  timeSeries: {},
  trends: {},
  brands: {},
  account: {},
  windows: {},
  calls: {},
  explanation: {},
  quote: {},
  quoteRequest: {},
};

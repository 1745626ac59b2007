/** Token of the port that has no class of its own. */
export const INVOICE_READS = Symbol('invoice reads');

/** Name of the tax of a rate in files and on pages, as in an English PDF: `VAT 19 %`. */
export function taxText(ratePercent: number): string {
  return `VAT ${ratePercent} %`;
}

import type { CategoriesTable } from './categories-table.js';
import { shown, type Faults } from './fault.js';
import { labelField, uuidField } from './fields.js';
import { complaintsAt, type Table } from './table.js';

export interface Brand {
  readonly id: string;
  readonly label: string;
  readonly line: number;
  /** Ids of the categories that the file names for it. */
  readonly categories: Set<string>;
}

/** `brands.csv`: one row for each category that a brand belongs to. */
export class BrandsTable implements Table {
  readonly file = 'brands.csv';
  readonly columns = ['id', 'label', 'category_id'];
  readonly brands = new Map<string, Brand>();

  constructor(
    private readonly faults: Faults,
    private readonly catalogue: CategoriesTable,
  ) {}

  row(line: number, values: readonly string[]): void {
    const [rawId = '', label = '', rawCategory = ''] = values;
    const complain = complaintsAt(this.faults, this.file, line);
    const id = uuidField('id', rawId, complain);
    const category = uuidField('category_id', rawCategory, complain);
    labelField(label, complain);
    if (category !== null && this.catalogue.isMissing(category)) {
      complain('category_id', `${shown(category)} is no category`);
    }
    if (id === null) return;
    const brand = this.#brand(id, label, line);
    if (brand.label !== label) {
      const known = `${shown(brand.label)}, the brand's label on line ${brand.line}`;
      complain('label', `${shown(label)} is not ${known}`);
    }
    if (category === null) return;
    if (brand.categories.has(category))
      complain('category_id', 'the brand has this category already');
    brand.categories.add(category);
  }

  end(): void {}

  #brand(id: string, label: string, line: number): Brand {
    const known = this.brands.get(id);
    if (known !== undefined) return known;
    if (this.catalogue.categories.has(id)) {
      this.faults.add(this.file, line, 'id', `${shown(id)} is the id of a category already`);
    }
    const brand = { id, label, line, categories: new Set<string>() };
    this.brands.set(id, brand);
    return brand;
  }
}

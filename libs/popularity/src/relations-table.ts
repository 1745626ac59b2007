import type { CategoriesTable } from './categories-table.js';
import type { Faults } from './fault.js';
import { groupField, uuidField } from './fields.js';
import { complaintsAt, type Table } from './table.js';

export interface Relation {
  readonly categoryId: string;
  readonly group: string;
  readonly relatedId: string;
}

/** `relations.csv`: which cat5 is related to which, in which group. */
export class RelationsTable implements Table {
  readonly file = 'relations.csv';
  readonly columns = ['category_id', 'group', 'related_id'];
  readonly relations = new Map<string, Relation & { readonly line: number }>();

  constructor(
    private readonly faults: Faults,
    private readonly catalogue: CategoriesTable,
  ) {}

  row(line: number, values: readonly string[]): void {
    const [category = '', group = '', related = ''] = values;
    const complain = complaintsAt(this.faults, this.file, line);
    const categoryId = this.#leaf('category_id', category, line);
    const grouped = groupField(group, complain);
    const relatedId = this.#leaf('related_id', related, line);
    if (categoryId === null || relatedId === null || !grouped) return;
    const key = `${categoryId} ${group} ${relatedId}`;
    const earlier = this.relations.get(key);
    if (earlier === undefined) this.relations.set(key, { categoryId, group, relatedId, line });
    else complain('related_id', `this relation stands on line ${earlier.line} already`);
  }

  end(): void {}

  #leaf(column: string, text: string, line: number): string | null {
    const complain = complaintsAt(this.faults, this.file, line);
    const id = uuidField(column, text, complain);
    if (id === null) return null;
    const fault = this.catalogue.leafFault(id);
    if (fault === null) return id;
    complain(column, fault);
    return null;
  }
}

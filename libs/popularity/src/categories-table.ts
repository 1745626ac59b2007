import { shown, type Faults } from './fault.js';
import { labelField, levelField, lifeCycleField, slugField, uuidField } from './fields.js';
import { complaintsAt, type Table } from './table.js';

export interface Category {
  readonly id: string;
  /** 1 to 5; null where the file is wrong about it. */
  readonly level: number | null;
  readonly label: string;
  readonly slug: string;
  readonly parentId: string | null;
  readonly lifeCycle: string | null;
  readonly line: number;
}

const LEAF_LEVEL = 5;

/** `categories.csv`: the tree, from cat1 to cat5 without leaving a level out. */
export class CategoriesTable implements Table {
  readonly file = 'categories.csv';
  readonly columns = ['id', 'level', 'label', 'slug', 'parent_id', 'life_cycle'];
  readonly categories = new Map<string, Category>();
  readonly #slugs = new Map<string, number>();

  constructor(private readonly faults: Faults) {}

  row(line: number, values: readonly string[]): void {
    const [id = '', level = '', label = '', slug = '', parent = '', lifeCycle = ''] = values;
    const complain = complaintsAt(this.faults, this.file, line);
    const category = {
      id: uuidField('id', id, complain),
      level: levelField(level, complain),
      label,
      slug,
      parentId: parent === '' ? null : uuidField('parent_id', parent, complain),
      lifeCycle: lifeCycleField(lifeCycle, complain),
      line,
    };
    labelField(label, complain);
    slugField(slug, complain);
    this.#checkParentGiven(category.level, parent, line);
    if (category.level !== null) this.#checkSlugFree(category.level, slug, line);
    if (category.id !== null) this.#add({ ...category, id: category.id });
  }

  end(): void {
    if (this.categories.size === 0 && this.faults.total === 0) {
      this.faults.add(this.file, null, null, 'holds no category');
    }
    for (const category of this.categories.values()) this.#checkParent(category);
  }

  /**
   * Whether an id is that of no category. False where that follows from another fault: its row
   * cannot be read, or there are no categories at all.
   */
  isMissing(id: string): boolean {
    return this.categories.size > 0 && !this.categories.has(id) && !this.faults.isUnread(id);
  }

  /** Why an id cannot be the category of a relation or a volume; null for a cat5. */
  leafFault(id: string): string | null {
    const category = this.categories.get(id);
    if (category === undefined) return this.isMissing(id) ? `${shown(id)} is no category` : null;
    if (category.level === null || category.level === LEAF_LEVEL) return null;
    return `${shown(id)} is a cat${category.level}, not a cat5`;
  }

  #add(category: Category): void {
    const earlier = this.categories.get(category.id);
    if (earlier === undefined) {
      this.categories.set(category.id, category);
      return;
    }
    const reason = `${shown(category.id)} stands on line ${earlier.line} already`;
    this.faults.add(this.file, category.line, 'id', reason);
  }

  #checkParentGiven(level: number | null, parent: string, line: number): void {
    if (level === 1 && parent !== '') {
      this.faults.add(this.file, line, 'parent_id', `${shown(parent)}, but a cat1 has no parent`);
    } else if (level !== null && level > 1 && parent === '') {
      this.faults.add(this.file, line, 'parent_id', `is empty, but a cat${level} has a parent`);
    }
  }

  #checkSlugFree(level: number, slug: string, line: number): void {
    const key = `${level} ${slug}`;
    const earlier = this.#slugs.get(key);
    if (earlier === undefined) this.#slugs.set(key, line);
    else {
      const reason = `${shown(slug)} is the slug of the cat${level} on line ${earlier} already`;
      this.faults.add(this.file, line, 'slug', reason);
    }
  }

  #checkParent({ level, parentId, line }: Category): void {
    if (level === null || level === 1 || parentId === null) return;
    const parent = this.categories.get(parentId);
    if (this.isMissing(parentId)) {
      this.faults.add(this.file, line, 'parent_id', `${shown(parentId)} is no category`);
    } else if (parent && parent.level !== null && parent.level !== level - 1) {
      const reason = `${shown(parentId)} is a cat${parent.level}, not a cat${level - 1}`;
      this.faults.add(this.file, line, 'parent_id', reason);
    }
  }
}

/** The result of a change, and whether an earlier request under the same key made it. */
export interface ChangeResult<View> {
  readonly view: View;
  readonly replayed: boolean;
}

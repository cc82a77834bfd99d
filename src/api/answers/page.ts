/** A page of a list. */
export interface Page<T> {
  data: T[];
  page: number;
  limit: number;
  /** The number of items on all pages. */
  total: number;
}

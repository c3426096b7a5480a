import { readText } from '../../../lib/read-search.ts'

/** What the address of a bucket holds. */
export interface BucketSearch {
  /** The open folder with its slash. */
  readonly folder?: string
  /** How names begin. */
  readonly q?: string
  /** The key of the open object. */
  readonly object?: string
  readonly view?: 'grid'
  /** Its objects when absent. */
  readonly tab?: 'history'
  /** Newest first; by name when absent. */
  readonly sort?: 'newest'
}

export const readBucketSearch = (search: Readonly<Record<string, unknown>>): BucketSearch => ({
  ...readText(search, 'folder', 'q', 'object'),
  ...(search.tab === 'history' ? { tab: 'history' } : {}),
  ...(search.view === 'grid' ? { view: 'grid' } : {}),
  ...(search.sort === 'newest' ? { sort: 'newest' } : {}),
})

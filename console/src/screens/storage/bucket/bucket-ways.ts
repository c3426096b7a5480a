import type { BucketSearch } from './search.ts'

/** The ways from what is shown of a bucket to something else of it. */
export interface BucketWays {
  /** @param replace whether the way back skips what was shown before */
  toFolder(folder: string, replace?: boolean): void
  /** The folder that holds the one that is shown. */
  toFolderAbove(): void
  /** While an object is open, moving through the list is one step of the way back. */
  toObject(key: string): void
  closeObject(): void
  toText(text: string): void
  toTab(tab: BucketSearch['tab']): void
  toLook(look: Pick<BucketSearch, 'view' | 'sort'>): void
}

/**
 * @param onSearch shows something else
 * @param onLeave  called before other entries are shown
 */
export function bucketWays(
  { folder = '', q = '', object, view, sort, tab }: BucketSearch,
  onSearch: (search: BucketSearch, replace?: boolean) => void,
  onLeave: () => void,
): BucketWays {
  const go = (next: BucketSearch, replace = false): void => {
    onLeave()
    onSearch({ ...(view && { view }), ...(sort && { sort }), ...next }, replace)
  }
  const inFolder = (path: string): BucketSearch => (path === '' ? {} : { folder: path })
  const here = { ...inFolder(folder), ...(q && { q }), ...(tab && { tab }) }
  return {
    toFolder: (path, replace) => go(inFolder(path), replace),
    toFolderAbove: () => go(inFolder(folder.replace(/[^/]+\/$/, '')), true),
    toObject: (key) => go({ ...here, object: key }, object !== undefined),
    closeObject: () => go(here, true),
    toTab: (next) => go({ ...inFolder(folder), ...(q && { q }), ...(next && { tab: next }) }, true),
    toText: (text) => go({ ...inFolder(folder), ...(text && { q: text }) }, true),
    toLook: (look) => onSearch({ ...here, ...look }, true),
  }
}

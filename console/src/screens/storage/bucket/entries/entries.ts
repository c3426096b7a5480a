import type { StorageEntry } from '../../../../lib/api/schemas.ts'

/** What may be done with an entry of a folder. */
export interface EntryActions {
  readonly onOpen: (entry: StorageEntry) => void
  readonly onSelect: (keys: readonly string[]) => void
  readonly onMove: (key: string) => void
  readonly onRemove: (keys: readonly string[]) => void
}

/** The entries of a folder, and how they are shown. */
export interface EntriesProps extends EntryActions {
  readonly bucketId: string
  readonly folder: string
  readonly entries: readonly StorageEntry[]
  readonly selected: ReadonlySet<string>
  readonly openKey: string | undefined
  readonly canChange: boolean
  readonly onEnd: () => void
}

/** An entry's name in its folder. */
export const nameIn = (folder: string, { key }: Pick<StorageEntry, 'key'>): string =>
  key.slice(folder.length).replace(/\/$/, '')

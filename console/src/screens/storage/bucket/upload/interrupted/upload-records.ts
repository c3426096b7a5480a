/** What an upload is of, and where it goes: another attempt goes on with it where all of this is equal. */
export interface UploadTarget {
  readonly bucketId: string
  readonly key: string
  readonly sizeBytes: number
  /** When the file was changed, in milliseconds since 1970. */
  readonly lastModified: number
}

/** An upload that this browser began and has not ended, so that it can go on after its page was left. */
export interface UploadRecord extends UploadTarget {
  readonly id: string
  /** The upload's address on the server. */
  readonly url: string
  /** The page that sends it, or sent it last. */
  readonly pageId: string
}

/** The uploads that this browser has not ended, of all its pages. */
export interface UploadRecords {
  list(): readonly UploadRecord[]
  find(target: UploadTarget): UploadRecord | undefined
  /** Keeps an upload of this page. @returns its id */
  add(target: UploadTarget, url: string): string
  /** This page goes on with an upload. */
  claim(record: UploadRecord): void
  remove(id: string): void
}

const prefix = 'clew-upload '

/** @param pageId names this page among those of the browser */
export function createUploadRecords(storage: Storage, pageId: string): UploadRecords {
  const keep = ({ id, ...facts }: UploadRecord): void => storage.setItem(id, JSON.stringify(facts))
  const list = (): readonly UploadRecord[] =>
    Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
      .filter((id) => id.startsWith(prefix))
      .flatMap((id) => readRecord(id, storage.getItem(id)) ?? [])
  return {
    list,
    find: (target) => list().find(({ id }) => id === idOf(target)),
    add(target, url) {
      const id = idOf(target)
      keep({ ...target, id, url, pageId })
      return id
    },
    claim: (record) => keep({ ...record, pageId }),
    remove: (id) => storage.removeItem(id),
  }
}

const idOf = ({ bucketId, key, sizeBytes, lastModified }: UploadTarget): string =>
  prefix + JSON.stringify([bucketId, key, sizeBytes, lastModified])

/** A record as it was kept; undefined for what an earlier version kept in another form. */
function readRecord(id: string, text: string | null): UploadRecord | undefined {
  try {
    // Each field is looked at below.
    const { bucketId, key, sizeBytes, lastModified, url, pageId } = JSON.parse(text ?? '') as Partial<UploadRecord>
    const isWhole =
      [bucketId, key, url, pageId].every((field) => typeof field === 'string') &&
      [sizeBytes, lastModified].every((field) => typeof field === 'number')
    return isWhole ? ({ id, bucketId, key, sizeBytes, lastModified, url, pageId } as UploadRecord) : undefined
  } catch {
    return undefined
  }
}

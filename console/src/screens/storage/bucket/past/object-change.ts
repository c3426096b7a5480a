import type { HistoryEntry, Values } from '../../../../lib/api/schemas.ts'
import { personName } from '../../../../lib/person.ts'
import type { Tone } from '../../../../ui/badge.tsx'

/** What happened to an object, in the words of files and not of rows. */
export interface ObjectChange {
  readonly word: 'uploaded' | 'replaced' | 'moved' | 'removed' | 'restored' | 'changed'
  readonly tone: Tone
  /** The bucket and the key that it has after it; of a removed one, had before. */
  readonly bucketId: string
  readonly key: string
  /** Where it was before, for one that was moved. */
  readonly from: string | null
}

const tones = {
  uploaded: 'ok',
  restored: 'ok',
  replaced: 'warn',
  moved: 'warn',
  changed: 'quiet',
  removed: 'danger',
} as const

/** Reads a change of a row of `storage.objects`. */
export function readObjectChange({ change, cause }: HistoryEntry): ObjectChange {
  const { operation, old } = change
  const now = { ...old, ...change.new }
  const place = { bucketId: now.bucket_id ?? '', key: now.name ?? '' }
  const isRestored = cause.kind === 'operator' && cause.action === 'object.restore'
  const word =
    operation === 'delete' || operation === 'truncate'
      ? 'removed'
      : operation === 'insert'
        ? isRestored
          ? 'restored'
          : 'uploaded'
        : wordOfUpdate(change.columns)
  return { word, tone: tones[word], ...place, from: word === 'moved' ? placeBefore(old, place.bucketId) : null }
}

function wordOfUpdate(columns: readonly string[]): ObjectChange['word'] {
  // A moved object gets a new version as well.
  if (columns.includes('name') || columns.includes('bucket_id')) return 'moved'
  return columns.includes('version') ? 'replaced' : 'changed'
}

/** With its bucket, where that is another now. */
const placeBefore = (old: Values | null, bucketId: string): string | null => {
  if (old === null || typeof old.name !== 'string') return null
  return old.bucket_id === bucketId ? old.name : `${old.bucket_id}/${old.name}`
}

/** Who made a change, in a line. */
export function makerOf({ cause }: HistoryEntry): string {
  switch (cause.kind) {
    case 'operator':
      return cause.operator
    case 'session':
    case 'request':
      return cause.person === null ? cause.role || 'an operator' : personName(cause.person)
    case 'job':
      return `job ${cause.name ?? cause.jobId}`
    case 'sql':
      return 'direct SQL'
    default:
      return cause satisfies never
  }
}

import { inBackground } from '../../../../../lib/in-background.ts'
import { createUploadRecords, type UploadRecords } from './upload-records.ts'

const lockPrefix = 'clew-uploads '
const pageId = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join('')
let isHeld = false

/** The uploads that this browser has not ended, as this page keeps them. */
export function uploadRecords(): UploadRecords {
  // The browser lets go of the lock when the page ends, however it ends.
  if (!isHeld && hasLocks())
    inBackground(navigator.locks.request(lockPrefix + pageId, () => new Promise(() => undefined)))
  isHeld = true
  return createUploadRecords(window.localStorage, pageId)
}

/** The other pages of this browser that are open and may send: none without locks, which pages have over HTTPS and at localhost. */
export async function otherOpenPages(): Promise<ReadonlySet<string>> {
  if (!hasLocks()) return new Set()
  const { held = [] } = await navigator.locks.query()
  const open = held.flatMap(({ name = '' }) => (name.startsWith(lockPrefix) ? [name.slice(lockPrefix.length)] : []))
  return new Set(open.filter((id) => id !== pageId))
}

const hasLocks = (): boolean => 'locks' in navigator

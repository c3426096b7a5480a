import type { QueryClient } from '@tanstack/react-query'
import { inBackground } from '../../../../lib/in-background.ts'
import { refreshBucket } from '../queries.ts'
import { tusTransfersTo } from './tus-transfer.ts'
import { hasEnded } from './upload.ts'
import { createUploads, type Uploads } from './uploads.ts'

const known = new WeakMap<QueryClient, Map<string, Uploads>>()

/** Lists follow a long row of small files this often. */
const refreshMs = 1500

/** The uploads to a bucket, which go on while other screens are open. The browser asks before it leaves them. */
export function uploadsOf(queryClient: QueryClient, bucketId: string): Uploads {
  const ofConsole = known.get(queryClient) ?? new Map<string, Uploads>()
  known.set(queryClient, ofConsole)
  const found = ofConsole.get(bucketId)
  if (found) return found
  let isDue = false
  const uploads = createUploads(tusTransfersTo(bucketId), () => {
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      inBackground(refreshBucket(queryClient, bucketId))
    }, refreshMs)
  })
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
  uploads.subscribe(() => {
    if (uploads.list().every(hasEnded)) window.removeEventListener('beforeunload', ask)
    else window.addEventListener('beforeunload', ask)
  })
  ofConsole.set(bucketId, uploads)
  return uploads
}

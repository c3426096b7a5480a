import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import { errorText } from '../../../lib/api/api-error.ts'
import { inBackground } from '../../../lib/in-background.ts'
import { useToast } from '../../../ui/toast.tsx'
import { refreshBucket } from './queries.ts'

/** How long a removal can be undone; the server waits some seconds longer. */
const undoMs = 20_000

/** Removals from a bucket: each is announced by a toast that undoes it, and lists follow. */
export function useObjectChanges(bucketId: string) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const attempt = (title: string, change: () => Promise<void>): void =>
    inBackground(
      change()
        .catch((problem: Error) => void toast.add({ title, description: errorText(problem) }))
        .finally(() => refreshBucket(queryClient, bucketId)),
    )
  const restore = (undos: readonly string[]): void =>
    attempt('Not everything is back.', async () => {
      for (const undo of undos) await api.restoreStorageObjects({ undo })
    })
  return {
    remove: (keys: readonly string[]): void =>
      attempt('Not everything was deleted.', async () => {
        const undos: string[] = []
        let removed = 0
        for (let more = true; more; ) {
          const answer = await api.removeStorageObjects(bucketId, { keys: [...keys] })
          removed += answer.removed
          if (answer.undo !== null) undos.push(answer.undo)
          more = answer.more && answer.removed > 0
        }
        const id = toast.add({
          title: `${removed} ${removed === 1 ? 'object was' : 'objects were'} deleted.`,
          timeout: undoMs,
          actionProps: {
            children: 'Undo',
            onClick: () => {
              toast.close(id)
              restore(undos)
            },
          },
        })
      }),
  }
}

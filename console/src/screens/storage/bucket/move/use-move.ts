import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../../../lib/api/api.ts'
import { refreshBucket } from '../queries.ts'

/** Where an object or a folder is to be; the key of a folder ends with a slash. */
export interface Place {
  readonly bucketId: string
  readonly key: string
}

/** How far a move is. */
export interface MoveProgress {
  readonly moved: number
  /** What stayed where it was, and why. */
  readonly failed: readonly { readonly key: string; readonly problem: string }[]
  /** Objects that were not tried yet. */
  readonly left: number
}

/**
 * Moves an object, or a folder batch by batch.
 *
 * @param onMoved called when all of it has moved
 */
export function useMove(from: Place, onMoved: (to: Place, moved: number) => void) {
  const queryClient = useQueryClient()
  const [progress, setProgress] = useState<MoveProgress>()
  const isStopped = useRef(false)
  const move = useMutation({
    mutationFn: async ({ bucketId: toBucket, key: to }: Place) => {
      isStopped.current = false
      let state: MoveProgress = { moved: 0, failed: [], left: 0 }
      for (let after: string | null = ''; after !== null && !isStopped.current; ) {
        const body = { from: from.key, to, toBucket, after }
        const answer: Awaited<ReturnType<typeof api.moveStorageObjects>> = await api.moveStorageObjects(
          from.bucketId,
          body,
        )
        const failed = [...state.failed, ...answer.failed]
        state = { moved: state.moved + answer.moved, failed, left: answer.left }
        setProgress(state)
        after = answer.next
      }
      return state
    },
    onSuccess: ({ moved, failed, left }, to) => {
      if (failed.length === 0 && left === 0) onMoved(to, moved)
    },
    onSettled: async (_state, _error, to) => {
      await refreshBucket(queryClient, from.bucketId)
      if (to.bucketId !== from.bucketId) await refreshBucket(queryClient, to.bucketId)
    },
  })
  const stop = (): void => {
    isStopped.current = true
  }
  return { progress, isMoving: move.isPending, error: move.error, start: move.mutate, stop }
}

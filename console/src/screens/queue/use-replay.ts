import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { useToast } from '../../ui/toast.tsx'

/** Sends all dead letters of a queue back to where they came from, and says how many. */
export function useReplay(queue: string, onReplayed: () => void) {
  const toast = useToast()
  return useMutation({
    mutationFn: () => api.replayMessages(queue),
    onSuccess: ({ replayed }) => {
      toast.add({ title: `${replayed} ${replayed === 1 ? 'message is' : 'messages are'} sent back.` })
      onReplayed()
    },
    onError: (problem) => void toast.add({ title: 'Nothing was sent back.', description: errorText(problem) }),
  })
}

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { SavedChange } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useToast } from '../../ui/toast.tsx'

/** How long Undo is offered. */
const offeredMs = 12_000

/** Says that rows were changed, and offers to take it back: all of it, or nothing where a row changed since. */
export function useSavedToast(): (title: string, saved: readonly SavedChange[]) => void {
  const queryClient = useQueryClient()
  const toast = useToast()
  const undo = async (saved: readonly SavedChange[]) => {
    try {
      toast.add({ title: await takeBack(saved) })
    } catch (error) {
      toast.add({ title: 'Not undone.', description: error instanceof Error ? errorText(error) : String(error) })
    }
    await readRowsAgain(queryClient)
  }
  return (title, saved) => {
    toast.add({
      title,
      timeout: offeredMs,
      actionProps: { children: 'Undo', onClick: () => inBackground(undo(saved)) },
    })
  }
}

/** Asks anew for rows that are shown; what is recorded of them announces itself. */
export async function readRowsAgain(queryClient: QueryClient): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['rows'] })
  await queryClient.invalidateQueries({ queryKey: ['row'] })
}

/** @returns what came of it, in a sentence */
async function takeBack(saved: readonly SavedChange[]): Promise<string> {
  const { changes, conflicts, refusal, problems } = await api.previewUndo([...saved])
  if (problems.length > 0) return 'Not undone: a table without a key keeps no trace of its rows.'
  if (conflicts.length > 0) return 'Not undone: a row was changed since.'
  if (refusal) return `Not undone: ${refusal.message}`
  if (changes.length === 0) return 'There is nothing to undo.'
  const outcome = await api.saveRowChanges({ changes, isUndo: true })
  return outcome.kind === 'saved' ? 'Undone.' : 'Not undone: a row was changed since.'
}

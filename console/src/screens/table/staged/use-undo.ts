import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import { errorText } from '../../../lib/api/api-error.ts'
import type { SavedChange, Table } from '../../../lib/api/schemas.ts'
import { useToast } from '../../../ui/toast.tsx'
import { rowsKey } from '../queries.ts'

/** Takes saved changes back, all or none: a row that changed since is not overwritten. */
export function useUndo({
  schema,
  name,
}: Pick<Table, 'schema' | 'name'>): (saved: readonly SavedChange[]) => Promise<void> {
  const queryClient = useQueryClient()
  const toast = useToast()
  return async (saved) => {
    try {
      toast.add({ title: await takeBack(saved) })
    } catch (error) {
      toast.add({ title: 'Not undone.', description: error instanceof Error ? errorText(error) : String(error) })
    }
    await queryClient.invalidateQueries({ queryKey: rowsKey(schema, name) })
    await queryClient.invalidateQueries({ queryKey: ['row', schema, name] })
  }
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

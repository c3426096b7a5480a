import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/api/api.ts'
import type { Row, RowConflict, SavedChange, Table } from '../../../lib/api/schemas.ts'
import type { RowProblem } from '../grid/grid-props.ts'
import { rowsKey } from '../queries.ts'
import {
  changesOf,
  rebase,
  type Staged,
  type StagedValues,
  stageDelete,
  stageInsert,
  stageValues,
  withoutRow,
} from './staged.ts'

/** A row that changed meanwhile, with its change. */
export interface StagedConflict {
  readonly id: string
  readonly conflict: RowConflict
}

/** Changes of a table's rows until they are saved, and what saving them met. */
export interface StagedState {
  readonly staged: Staged
  readonly isSaving: boolean
  readonly problem: (RowProblem & { readonly detail: string | null }) | undefined
  readonly conflicts: readonly StagedConflict[]
  readonly error: Error | null
  readonly set: (row: Row, values: StagedValues) => void
  /** @returns the new row's id among staged changes */
  readonly insert: (values: StagedValues, id?: string) => string
  readonly remove: (rows: readonly Row[]) => void
  readonly drop: (id: string) => void
  readonly discard: () => void
  /** Takes what a row has now as what is expected, so that saving overwrites it. */
  readonly overwrite: (id: string) => void
  readonly closeConflicts: () => void
  readonly save: () => void
}

/** @param onSaved called with the rows before and after */
export function useStaged(table: Table, onSaved: (changes: readonly SavedChange[]) => void): StagedState {
  const queryClient = useQueryClient()
  const [staged, setStaged] = useState<Staged>([])
  const [problem, setProblem] = useState<StagedState['problem']>()
  const [conflicts, setConflicts] = useState<readonly StagedConflict[]>([])
  const [nextId, setNextId] = useState(1)
  const change = (next: (before: Staged) => Staged) => {
    setStaged(next)
    setProblem(undefined)
  }
  const mutation = useMutation({
    mutationFn: (sent: Staged) => api.saveRowChanges({ changes: changesOf(table, sent) }),
    onSuccess: (outcome, sent) => {
      const idAt = (index: number | null) => (index === null ? '' : (sent[index]?.id ?? ''))
      switch (outcome.kind) {
        case 'saved':
          setStaged([])
          setProblem(undefined)
          onSaved(outcome.changes)
          return Promise.all([
            queryClient.invalidateQueries({ queryKey: rowsKey(table.schema, table.name) }),
            queryClient.invalidateQueries({ queryKey: ['row', table.schema, table.name] }),
          ])
        case 'conflict':
          setConflicts(outcome.conflicts.map((conflict) => ({ id: idAt(conflict.index), conflict })))
          return undefined
        case 'refused': {
          const { index, columns, message, detail } = outcome.refusal
          setProblem({ id: idAt(index), columns, message, detail })
          return undefined
        }
        default:
          return outcome satisfies never
      }
    },
  })
  const settle = (id: string) => setConflicts((before) => before.filter((one) => one.id !== id))
  return {
    ...{ staged, problem, conflicts, isSaving: mutation.isPending, error: mutation.error },
    set: (row, values) => change((before) => stageValues(before, row, values)),
    insert(values, id) {
      const own = id ?? `new-${nextId}`
      if (id === undefined) setNextId(nextId + 1)
      change((before) => stageInsert(before, own, values))
      return own
    },
    remove: (rows) => change((before) => stageDelete(before, rows)),
    drop(id) {
      change((before) => withoutRow(before, id))
      settle(id)
    },
    discard() {
      change(() => [])
      mutation.reset()
    },
    overwrite(id) {
      const current = conflicts.find((one) => one.id === id)?.conflict.current
      if (current) change((before) => rebase(before, id, current))
      settle(id)
    },
    closeConflicts: () => setConflicts([]),
    save: () => mutation.mutate(staged),
  }
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import type { SqlAnswer, SqlEngine } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import type { Selected } from '../../sql/sql-text.tsx'

/** The role and the engine that statements run with. */
export interface RunChoice {
  readonly engine: SqlEngine
  /** Null for the owner. */
  readonly role: string | null
  readonly claims: Readonly<Record<string, unknown>> | null
  readonly readOnly: boolean
}

/** What a run came to, and what was run. */
export interface Ran {
  readonly answer: SqlAnswer
  readonly selected: Selected
  readonly mode: 'run' | 'explain' | 'analyze'
  /** What became of its change, once that is decided. */
  readonly decided: 'committed' | 'rolled back' | null
}

/** Runs statements, one run at a time, and decides about what they change. */
export function useRuns() {
  const queryClient = useQueryClient()
  const [ran, setRan] = useState<Ran>()
  const [runningId, setRunningId] = useState<string>()
  const changed = () => inBackground(queryClient.invalidateQueries({ queryKey: ['sql', 'runs'] }))
  const run = useMutation({
    async mutationFn({ selected, mode, choice }: Pick<Ran, 'selected' | 'mode'> & { readonly choice: RunChoice }) {
      const id = newRunId()
      setRunningId(id)
      const { claims, ...rest } = choice
      const answer = await api.runSql({ id, text: selected.text, mode, ...rest, claims: claims && { ...claims } })
      setRan({ answer, selected, mode, decided: null })
    },
    onSettled() {
      setRunningId(undefined)
      changed()
    },
  })
  const decide = useMutation({
    async mutationFn(decision: 'commit' | 'rollback') {
      if (ran === undefined) return null
      const { failure } = await api.decideSql(ran.answer.id, decision)
      setRan({ ...ran, decided: decision === 'commit' && failure === null ? 'committed' : 'rolled back' })
      return failure
    },
    onSettled() {
      changed()
      inBackground(queryClient.invalidateQueries({ queryKey: ['sql', 'catalogue'] }))
    },
  })
  const cancel = useMutation({
    mutationFn: async () => (runningId === undefined ? null : api.cancelSql(runningId)),
  })
  return { ran, run, decide, cancel, isPending: ran?.answer.state === 'pending' && ran.decided === null }
}

/** A UUID; `crypto.randomUUID` is there on secure pages alone. */
function newRunId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20)].join('-')
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Info, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../lib/api/api.ts'
import { errorText } from '../lib/api/api-error.ts'
import type { SchemaChange, SchemaPlan } from '../lib/api/schema.ts'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/code.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { Field } from '../ui/field.tsx'
import { useToast } from '../ui/toast.tsx'
import { planQuery, refreshSchema } from './queries.ts'

interface ChangeDrawerProps {
  readonly title: string
  /** What the form says; nothing while it is incomplete or changes nothing. */
  readonly changes: readonly SchemaChange[]
  /** The word on the button. */
  readonly action: string
  /** A name that must be typed before something is lost. */
  readonly confirm?: string | undefined
  readonly onApplied?: (() => void) | undefined
  readonly onClose: () => void
  /** The form's fields. */
  readonly children?: ReactNode
}

/** A form of a change beside the page: its fields, the SQL as it grows, what that does, and the button that makes it. */
export function ChangeDrawer(props: ChangeDrawerProps) {
  return (
    <Drawer open onClose={props.onClose} title={props.title}>
      <ChangeForm {...props} />
    </Drawer>
  )
}

/** Between two keys; the plan is asked for once the typing rests. */
const restMs = 200

function ChangeForm({ changes, action, confirm, onApplied, onClose, children }: ChangeDrawerProps) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const [typed, setTyped] = useState('')
  const rested = useRested(changes)
  const plan = useQuery(planQuery(rested))
  const apply = useMutation({
    mutationFn: () => api.applySchemaChanges(changes, null),
    async onSuccess({ path, version }) {
      await refreshSchema(queryClient)
      toast.add({ title: 'The schema is changed.', description: path ?? `Migration ${version}` })
      onClose()
      onApplied?.()
    },
  })
  const isReady = changes.length > 0 && (confirm === undefined || typed === confirm)
  return (
    <form
      aria-label="Change"
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) apply.mutate()
      }}
    >
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-4 overflow-y-auto p-4">
        {children}
        {confirm !== undefined && (
          <Field
            label={`Type ${confirm} to confirm`}
            value={typed}
            autoComplete="off"
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
        {changes.length > 0 && <Plan plan={plan.data} problem={plan.error} />}
      </div>
      <footer className="grid shrink-0 gap-2 border-line border-t p-4">
        {apply.error && (
          <p role="alert" className="wrap-anywhere text-danger">
            {errorText(apply.error)}
          </p>
        )}
        <div className="flex items-center gap-2">
          <Button
            type="submit"
            look={confirm === undefined ? 'primary' : 'danger'}
            disabled={!isReady || apply.isPending}
          >
            {action}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          {plan.data && changes.length > 0 && (
            <span className="min-w-0 truncate text-ink-2 text-sm">
              as migration <span className="mono">{plan.data.name}</span>
            </span>
          )}
        </div>
      </footer>
    </form>
  )
}

interface PlanProps {
  readonly plan: SchemaPlan | undefined
  readonly problem: Error | null
}

function Plan({ plan, problem }: PlanProps) {
  if (problem) return <p className="wrap-anywhere text-danger">{errorText(problem)}</p>
  if (!plan) return null
  return (
    <section aria-label="What will be done" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {plan.effects.length > 0 && (
        <ul className="grid gap-1">
          {plan.effects.map(({ tone, text }) => {
            const Icon = tone === 'warn' ? TriangleAlert : Info
            return (
              <li key={text} className="flex items-start gap-2">
                <Icon
                  aria-hidden="true"
                  className={
                    tone === 'warn' ? 'mt-0.5 size-3.5 shrink-0 text-warn' : 'mt-0.5 size-3.5 shrink-0 text-ink-2'
                  }
                />
                <span className="wrap-anywhere min-w-0">{text}</span>
              </li>
            )
          })}
        </ul>
      )}
      <Code text={plan.statements.map((text) => `${text};`).join('\n\n')} language="sql" copyLabel="Copy the SQL" />
    </section>
  )
}

/** The changes as they were when the typing last rested. */
function useRested(changes: readonly SchemaChange[]): readonly SchemaChange[] {
  const text = JSON.stringify(changes)
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  // Our own JSON.
  return JSON.parse(rested) as readonly SchemaChange[]
}

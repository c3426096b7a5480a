import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { api } from '../../lib/api/api.ts'
import type { SchemaTable } from '../../lib/api/schema.ts'
import { Findings } from '../../policies/findings.tsx'
import { LookView } from '../../policies/look-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Field } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { TextArea } from '../../ui/text-area.tsx'

const callers = [
  { value: 'anon', label: 'anon, not signed in' },
  { value: 'user', label: 'a user' },
  { value: 'authenticated', label: 'authenticated, without a user' },
  { value: 'service_role', label: 'service_role' },
] as const
type Caller = (typeof callers)[number]['value']

const commands = ['select', 'insert', 'update', 'delete'] as const
type Command = (typeof commands)[number]
const methods = { select: 'GET', insert: 'POST', update: 'PATCH', delete: 'DELETE' } as const

interface Question {
  readonly caller: Caller
  readonly user: string
  readonly command: Command
  readonly filter: string
  readonly body: string
}

const first: Question = { caller: 'anon', user: '', command: 'select', filter: '', body: '{}' }

/** Whether a command takes values to insert or update. */
const writes = (command: Command): boolean => command === 'insert' || command === 'update'

/** Asks as a role or a user which rows of a table pass, and which clause hides each of the others; nothing is changed. */
export function PolicyTester({ table }: { readonly table: SchemaTable }) {
  const [question, setQuestion] = useState(first)
  const { caller, user, command, filter, body } = question
  const ask = useMutation({
    mutationFn: () =>
      api.why({
        method: methods[command],
        path: encodeURIComponent(table.name),
        profile: table.schema,
        query: command === 'insert' ? '' : filter,
        as: { kind: caller, ...(caller === 'user' && { user }) },
        ...(writes(command) && { body }),
      }),
  })
  const { data: answer, error, isPending, isIdle } = ask
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="grid max-w-[1280px] grid-cols-[280px_minmax(0,1fr)] items-start gap-8 p-4 max-wide:grid-cols-[minmax(0,1fr)] max-wide:gap-5">
        <QuestionForm question={question} isAsking={isPending} onChange={setQuestion} onAsk={() => ask.mutate()} />
        <div aria-live="polite" className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {isPending && <SkeletonRows rows={6} />}
          {error && !isPending && <ErrorProblem error={error} onRetry={() => ask.mutate()} />}
          {isIdle && (
            <Empty title="See which rows pass.">
              <p>
                Each row with the clause that hides it, asked as the caller in a transaction that is rolled back. The
                question stands in the audit log.
              </p>
            </Empty>
          )}
          {answer && !isPending && (
            <>
              <Findings findings={answer.findings} />
              {answer.looks.map((look) => (
                <LookView key={`${look.part} ${look.schema}.${look.name}`} look={look} role={answer.role} />
              ))}
            </>
          )}
        </div>
      </div>
    </div>
  )
}

interface QuestionFormProps {
  readonly question: Question
  readonly isAsking: boolean
  readonly onChange: (question: Question) => void
  readonly onAsk: () => void
}

function QuestionForm({ question, isAsking, onChange, onAsk }: QuestionFormProps) {
  const { caller, user, command, filter, body } = question
  const set = (change: Partial<Question>) => onChange({ ...question, ...change })
  return (
    <form
      aria-label="Test"
      className="grid content-start gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onAsk()
      }}
    >
      <Choice label="As" value={caller} options={callers} onChange={(next) => set({ caller: next })} />
      {caller === 'user' && (
        <Field
          label="User (email address or id)"
          value={user}
          required
          maxLength={320}
          autoComplete="off"
          onChange={({ target }) => set({ user: target.value })}
        />
      )}
      <Choice label="Command" value={command} options={commands} onChange={(next) => set({ command: next })} />
      {command !== 'insert' && (
        <Field
          label="Filter (empty: all rows)"
          value={filter}
          placeholder="id=eq.7"
          autoComplete="off"
          onChange={({ target }) => set({ filter: target.value })}
        />
      )}
      {writes(command) && (
        <TextArea
          label={command === 'insert' ? 'The row, as JSON' : 'Its new values, as JSON'}
          rows={4}
          value={body}
          onChange={({ target }) => set({ body: target.value })}
        />
      )}
      <Button type="submit" look="primary" className="justify-self-start" disabled={isAsking}>
        {isAsking ? 'Testing …' : 'Test'}
      </Button>
    </form>
  )
}

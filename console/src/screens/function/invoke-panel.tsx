import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { FunctionInfo } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { Answer } from './answer.tsx'
import { readHeaders } from './read-headers.ts'

const methods = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']
const callers = [
  { value: 'anon', label: 'anon, the public key' },
  { value: 'user', label: 'a user' },
  { value: 'service_role', label: 'service_role, the secret key' },
  { value: 'none', label: 'without a token' },
] as const

type CallerKind = (typeof callers)[number]['value']

/** Calls the function as one of its callers would; the answer stands beside the form. */
export function InvokePanel({ info }: { readonly info: FunctionInfo }) {
  const { canChange } = useRights()
  const [caller, setCaller] = useState<CallerKind>('anon')
  const invoke = useMutation({
    mutationFn: (form: FormData) => {
      const text = (name: string) => String(form.get(name) ?? '')
      const method = text('method')
      return api.invokeFunction(info.name, {
        method,
        path: text('path').trim(),
        headers: readHeaders(text('headers')),
        body: method === 'GET' || method === 'HEAD' || text('body') === '' ? null : text('body'),
        caller: caller === 'user' ? { kind: 'user', user: text('user').trim() } : { kind: caller },
      })
    },
  })
  if (!canChange)
    return (
      <Empty title="Calling a function is for owners and developers.">
        <p>Its figures and its last calls are under Overview.</p>
      </Empty>
    )
  return (
    <div className="grid min-h-0 flex-1 grid-cols-2 content-start gap-6 overflow-y-auto p-4 max-wide:grid-cols-[minmax(0,1fr)]">
      <form
        aria-label="Call"
        className="grid content-start gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          invoke.mutate(new FormData(event.currentTarget))
        }}
      >
        <div className="grid grid-cols-[auto_minmax(0,1fr)] items-end gap-2">
          <Choice label="Method" name="method" options={methods.map((value) => ({ value, label: value }))} />
          <Field label={`Path behind /${info.name}`} name="path" placeholder="/deeper?a=1" autoComplete="off" />
        </div>
        <Choice label="Caller" name="caller" options={callers} value={caller} onChange={setCaller} />
        {caller === 'user' && (
          <Field label="User (e-mail address or id)" name="user" required autoComplete="off" maxLength={320} />
        )}
        <TextArea
          label="Headers"
          name="headers"
          rows={3}
          defaultValue="content-type: application/json"
          placeholder="name: value"
        />
        <TextArea label="Body" name="body" rows={8} defaultValue="{}" />
        <Button type="submit" look="primary" className="justify-self-start" disabled={invoke.isPending}>
          {invoke.isPending ? 'Calling …' : 'Call'}
        </Button>
        {invoke.error && (
          <p role="alert" className="text-danger">
            {errorText(invoke.error)}
          </p>
        )}
      </form>
      {invoke.data ? (
        <Answer answer={invoke.data} />
      ) : (
        <p className="text-ink-2">The answer will stand here, with a link to its thread.</p>
      )}
    </div>
  )
}

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly name: string
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly value?: Value
  readonly onChange?: (value: Value) => void
}

/** A labelled choice of a form. */
function Choice<Value extends string>({ label, name, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <label className="grid gap-1">
      <span className="font-medium text-ink-2 text-sm">{label}</span>
      <select
        name={name}
        {...(value === undefined ? {} : { value })}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value)
          if (chosen) onChange?.(chosen.value)
        }}
        className="h-8 rounded-control border border-line bg-surface px-2 text-ink"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  )
}

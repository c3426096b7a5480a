import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { AuthSetup } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { useToast } from '../../ui/toast.tsx'
import { authSetupQuery } from './queries.ts'

type Setting = AuthSetup['settings'][number]

/** The form of a setting that the console writes into clew.toml. */
export function SettingForm({ setting }: { readonly setting: Setting }) {
  const { name, value, waiting, form } = setting
  const queryClient = useQueryClient()
  const toast = useToast()
  const stored = textOf(waiting ?? value)
  const [text, setText] = useState(stored)
  const change = useMutation({
    mutationFn: (next: string | null) => api.changeAuthSetting(name, next),
    async onSuccess(_, next) {
      await queryClient.invalidateQueries({ queryKey: authSetupQuery.queryKey })
      toast.add({ title: next === null ? `${name} has its default again.` : `${name} is written to clew.toml.` })
    },
  })
  return (
    <form
      aria-label={`Change ${name}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate(text.trim() === '' ? null : text)
      }}
    >
      <ValueField form={form} text={text} onText={setText} />
      {change.error && (
        <p role="alert" className="wrap-anywhere text-danger">
          {errorText(change.error)} Allowed: {form.allowed}.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" disabled={text === stored || change.isPending}>
          Save
        </Button>
        {setting.from?.startsWith('clew.toml') && (
          <Button disabled={change.isPending} onClick={() => change.mutate(null)}>
            Use the default
          </Button>
        )}
      </div>
    </form>
  )
}

interface ValueFieldProps {
  readonly form: Setting['form']
  readonly text: string
  readonly onText: (text: string) => void
}

function ValueField({ form: { kind, choices, allowed }, text, onText }: ValueFieldProps) {
  switch (kind) {
    case 'boolean':
      return <Choice label="Value" value={text} options={['true', 'false']} onChange={onText} />
    case 'choice':
      return <Choice label="Value" value={text} options={choices} onChange={onText} />
    case 'list':
    case 'table':
      return (
        <TextArea
          label={kind === 'list' ? 'Value: a list in JSON, or items between commas' : 'Value: an object in JSON'}
          rows={4}
          value={text}
          onChange={({ target }) => onText(target.value)}
        />
      )
    default:
      return (
        <Field
          label="Value"
          value={text}
          hint={`Allowed: ${allowed}.`}
          inputMode={kind === 'number' ? 'numeric' : 'text'}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => onText(target.value)}
        />
      )
  }
}

/** A value of JSON as it is typed: texts without their quotes. */
function textOf(json: string | null): string {
  const value: unknown = json === null ? null : JSON.parse(json)
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

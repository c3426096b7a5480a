import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { ApiError, errorText } from '../../lib/api/api-error.ts'
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
  const { name, form } = setting
  const queryClient = useQueryClient()
  const toast = useToast()
  const shown = shownOf(setting)
  const stored = textOf(shown)
  /** What the draft was begun from. */
  const [begun, setBegun] = useState(shown)
  const [text, setText] = useState(stored)
  const change = useMutation({
    mutationFn: (next: string | null) => api.changeAuthSetting(name, { value: next, replaces: shown }),
    // What was refused may have been so because of another change.
    onError: () => queryClient.invalidateQueries({ queryKey: authSetupQuery.queryKey }),
    async onSuccess(_, next) {
      const { settings } = await queryClient.fetchQuery({ ...authSetupQuery, staleTime: 0 })
      const written = settings.find((each) => each.name === name)
      setBegun(written === undefined ? shown : shownOf(written))
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
          {refusalOf(change.error, form.allowed)}
        </p>
      )}
      {shown !== begun && !change.isPending && (
        <p role="status" className="wrap-anywhere text-warn">
          It was changed meanwhile, to <span className="mono">{stored === '' ? 'the default' : stored}</span>: saving
          replaces that.
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

/** The value of the next start where one waits, else that of now. */
const shownOf = ({ waiting, value }: Setting): string | null => waiting ?? value

const refusalOf = (error: Error, allowed: string): string =>
  error instanceof ApiError && error.code === 'CLEW_AUTH_SETTING_VALUE'
    ? `${errorText(error)} Allowed: ${allowed}.`
    : errorText(error)

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

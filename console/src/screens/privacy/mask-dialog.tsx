import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Maskable } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { maskableQuery } from './queries.ts'

interface MaskDialogProps {
  readonly open: boolean
  readonly onSaved: () => void
  readonly onClose: () => void
}

type Kind = 'column' | 'property'

const kinds = [
  { value: 'column', label: 'A column of a table' },
  { value: 'property', label: 'A property of events and people' },
] as const

/** Asks what is to be masked, and offers what there is. */
export function MaskDialog({ open, onSaved, onClose }: MaskDialogProps) {
  const { data: maskable } = useQuery({ ...maskableQuery, enabled: open })
  const [kind, setKind] = useState<Kind>('column')
  const [name, setName] = useState('')
  const list = useId()
  const close = () => {
    setName('')
    add.reset()
    onClose()
  }
  const add = useMutation({
    mutationFn: api.addMask,
    onSuccess() {
      onSaved()
      close()
    },
  })
  const mask = maskOf(kind, name.trim(), maskable)
  return (
    <Dialog open={open} onClose={close} title="New mask">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (mask) add.mutate(mask)
        }}
      >
        <p className="text-ink-2">
          From the moment that you mask it, nothing new is stored unmasked. What was stored before is masked by a job,
          and cannot be brought back.
        </p>
        <Select
          label="What is masked"
          value={kind}
          options={kinds}
          onChange={(chosen) => {
            setKind(chosen)
            setName('')
            add.reset()
          }}
        />
        <Field
          label={kind === 'column' ? 'Column' : 'Property'}
          placeholder={kind === 'column' ? 'public.users.email' : 'email'}
          hint={
            kind === 'column'
              ? 'Schema, table and column. Columns of a primary key cannot be masked.'
              : 'Its whole name; masked with all that is in its value, and as a parameter of addresses.'
          }
          value={name}
          onChange={(event) => setName(event.target.value)}
          problem={add.error ? errorText(add.error) : undefined}
          list={list}
          maxLength={200}
          required
          autoFocus
          autoComplete="off"
          spellCheck={false}
        />
        <datalist id={list}>
          {offeredOf(kind, maskable).map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <Button
          type="submit"
          look="primary"
          size="large"
          className="justify-center"
          disabled={mask === null || add.isPending}
        >
          Mask
        </Button>
      </form>
    </Dialog>
  )
}

const labelOf = ({ schema, table, column }: Maskable['columns'][number]): string => `${schema}.${table}.${column}`

const offeredOf = (kind: Kind, maskable: Maskable | undefined): readonly string[] =>
  (kind === 'column' ? maskable?.columns.map(labelOf) : maskable?.properties) ?? []

/** What was typed, as it is sent; null while it is not whole. */
function maskOf(kind: Kind, name: string, maskable: Maskable | undefined): Parameters<typeof api.addMask>[0] | null {
  if (kind === 'property') return name === '' ? null : { kind, property: name }
  // A name may have a dot in it: what is offered is taken as it is.
  const offered = maskable?.columns.find((each) => labelOf(each) === name)
  if (offered) return { kind, ...offered }
  const [schema = '', table = '', column = '', ...more] = name.split('.')
  return column === '' || more.length > 0 ? null : { kind, schema, table, column }
}

import type { ReactNode } from 'react'
import { Choice } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'

interface NameFieldProps {
  readonly value: string
  readonly onChange: (name: string) => void
  readonly hint?: string | undefined
}

/** The name of something of the database. */
export function NameField({ value, onChange, hint }: NameFieldProps) {
  return (
    <Field
      label="Name"
      value={value}
      hint={hint}
      required
      maxLength={63}
      autoComplete="off"
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

interface NameFieldsProps {
  readonly name: string
  readonly schema: string
  readonly onChange: (change: { readonly name?: string; readonly schema?: string }) => void
  /** The schemas that there are; where none are named, one is typed. */
  readonly schemas?: readonly string[] | undefined
  /** Further fields of the form's grid. */
  readonly children?: ReactNode
}

/** The name of something new, and the schema that it is made in. */
export function NameFields({ name, schema, onChange, schemas, children }: NameFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-4 max-narrow:grid-cols-1">
      <NameField value={name} onChange={(next) => onChange({ name: next })} />
      {schemas === undefined ? (
        <Field
          label="Schema"
          value={schema}
          required
          maxLength={63}
          onChange={({ target }) => onChange({ schema: target.value })}
        />
      ) : (
        <Choice label="Schema" value={schema} options={schemas} onChange={(next) => onChange({ schema: next })} />
      )}
      {children}
    </div>
  )
}

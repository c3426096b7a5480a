import { type ComponentProps, type ReactNode, useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import type { Table } from '../api/schemas.ts'

interface FilterDialogProps {
  readonly open: boolean
  readonly title: string
  /** What is said of the filter under its fields. */
  readonly about: string
  /** Given the texts of the fields by their names. */
  readonly onTyped: (typed: Readonly<Record<string, FormDataEntryValue>>) => void
  readonly onClose: () => void
  /** The fields. */
  readonly children: ReactNode
}

/** The parts of a filter as a form, which the address has once it is sent. */
export function FilterDialog({ open, title, about, onTyped, onClose, children }: FilterDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          onTyped(Object.fromEntries(new FormData(event.currentTarget)))
          onClose()
        }}
      >
        <div className="grid gap-4 narrow:grid-cols-2">{children}</div>
        <p className="text-ink-2 text-sm">{about} The address has the filter: its link shows others the list.</p>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Filter
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** What a field of a filter begins with. */
export const partOf =
  <Filter extends object>(filter: Filter) =>
  (name: keyof Filter & string) => ({
    name,
    defaultValue: filter[name] === undefined ? '' : String(filter[name]),
    autoComplete: 'off',
  })

interface ChangedRowsFieldProps extends ComponentProps<typeof Field> {
  /** Offered as those whose rows were changed. */
  readonly tables: readonly Table[]
}

/** The table whose rows were changed. */
export function ChangedRowsField({ tables, ...field }: Omit<ChangedRowsFieldProps, 'label'>) {
  const list = useId()
  return (
    <>
      <Field label="Changed rows of" placeholder="public.orders" pattern="[^.]+[.].+" list={list} {...field} />
      <datalist id={list}>
        {tables.map(({ schema, name }) => (
          <option key={`${schema}.${name}`} value={`${schema}.${name}`} />
        ))}
      </datalist>
    </>
  )
}

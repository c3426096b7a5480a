import { useState } from 'react'
import type { Column, Table } from '../../../lib/api/schemas.ts'
import { Button } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/drawer.tsx'
import type { RowProblem } from '../grid/grid-props.ts'
import type { StagedValue, StagedValues } from '../staged/staged.ts'
import { ReferencePicker } from './reference-picker.tsx'
import { problemOf } from './value-check.ts'
import { ValueField } from './value-field.tsx'

interface RowFormProps {
  readonly table: Table
  readonly title: string
  /** The values that stand in it at first. */
  readonly values: StagedValues
  readonly problem: RowProblem | undefined
  readonly onStage: (values: StagedValues) => void
  readonly onClose: () => void
}

/** A whole row in a side panel, each column by its type. What is typed is staged with the other changes. */
export function RowForm({ table, title, values: before, problem, onStage, onClose }: RowFormProps) {
  const [values, setValues] = useState<StagedValues>(before)
  const [chosen, setChosen] = useState<Column>()
  const set = (name: string, value: StagedValue) => setValues({ ...values, [name]: value })
  const isWrong = table.columns.some((column) => {
    const value = values[column.name]
    return typeof value === 'string' && value !== before[column.name] && problemOf(column, value) !== null
  })
  const known = (name: string) => (name in values ? values[name] : undefined)
  return (
    <Drawer open onClose={onClose} title={<span className="mono text-base">{title}</span>}>
      <form
        className="flex min-h-full flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isWrong) onStage(values)
        }}
      >
        <div className="grid flex-1 content-start gap-4 p-4">
          {table.columns.map((column) => (
            <ValueField
              key={column.name}
              column={column}
              value={known(column.name)}
              problem={problem?.columns.includes(column.name) ? problem.message : undefined}
              onChange={(value) => set(column.name, value)}
              onPick={column.references ? () => setChosen(column) : undefined}
            />
          ))}
        </div>
        <div className="sticky bottom-0 flex justify-end gap-1.5 border-line border-t bg-surface px-4 py-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={isWrong}>
            Stage the row
          </Button>
        </div>
      </form>
      <ReferencePicker
        column={chosen}
        onClose={() => setChosen(undefined)}
        onChoose={(value) => {
          if (chosen) set(chosen.name, value)
          setChosen(undefined)
        }}
      />
    </Drawer>
  )
}

import { X } from 'lucide-react'
import { useState } from 'react'
import type { Column } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Filter, Select } from '../../ui/field.tsx'

interface FilterBarProps {
  readonly columns: readonly Column[]
  readonly filter: readonly string[]
  readonly onFilter: (filter: readonly string[]) => void
}

const operators = [
  { value: 'eq', label: '=' },
  { value: 'neq', label: '≠' },
  { value: 'gt', label: '>' },
  { value: 'gte', label: '≥' },
  { value: 'lt', label: '<' },
  { value: 'lte', label: '≤' },
  { value: 'ilike', label: 'like' },
  { value: 'is', label: 'is' },
]

/** Narrows a table's rows: a column, an operator, a value and Enter; each filter is a chip that can be taken off. */
export function FilterBar({ columns, filter, onFilter }: FilterBarProps) {
  const [column, setColumn] = useState(columns[0]?.name ?? '')
  const [operator, setOperator] = useState('eq')
  const [value, setValue] = useState('')
  return (
    <form
      className="flex h-10 shrink-0 items-center gap-1.5 overflow-x-auto border-line border-b px-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (column === '' || value === '') return
        onFilter([...filter, `${column}.${operator}.${operator === 'ilike' ? likePattern(value) : value}`])
        setValue('')
      }}
    >
      {filter.map((one) => (
        <Button
          key={one}
          size="small"
          className="mono"
          aria-label={`Remove the filter ${readable(one)}`}
          onClick={() => onFilter(filter.filter((other) => other !== one))}
        >
          {readable(one)}
          <X aria-hidden="true" className="size-3" />
        </Button>
      ))}
      <Select
        label="Column"
        value={column}
        options={columns.map(({ name }) => ({ value: name, label: name }))}
        onChange={setColumn}
        className="mono max-w-40"
      />
      <Select label="Operator" value={operator} options={operators} onChange={setOperator} className="mono" />
      <Filter
        label="Value to filter by"
        placeholder={operator === 'is' ? 'null, true or false, then Enter' : 'Filter by value, then Enter'}
        value={value}
        onChange={setValue}
        className="min-w-44"
      />
    </form>
  )
}

/** Without a wildcard of its own, "like" means "holds". */
function likePattern(value: string): string {
  return /[%*_]/.test(value) ? value : `%${value}%`
}

function readable(filter: string): string {
  const [column = '', operator = '', ...rest] = filter.split('.')
  const sign = operators.find(({ value }) => value === operator)?.label ?? operator
  return `${column} ${sign} ${rest.join('.')}`
}

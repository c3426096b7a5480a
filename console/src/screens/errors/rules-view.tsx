import { useMutation } from '@tanstack/react-query'
import { ArrowUp, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { ErrorRule } from '../../lib/api/schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

interface RulesProps {
  /** Absent while they are on their way. */
  readonly stored: { readonly version: number; readonly rules: readonly ErrorRule[] } | undefined
  /** What is shown may be outdated: a change was saved, or refused because of another operator's. */
  readonly onOutdated: () => void
}

type Condition = ErrorRule['conditions'][number]

/** The rules in their order, and a form for another one. They hold for exceptions that come from then on. */
export function RulesView({ stored, onOutdated }: RulesProps) {
  const save = useMutation({
    mutationFn: ({ version, rules }: NonNullable<RulesProps['stored']>) =>
      api.replaceErrorRules({ version, rules: [...rules] }),
    onSettled: onOutdated,
  })
  if (stored === undefined) return <SkeletonRows />
  const { version, rules } = stored
  const replace = (next: readonly ErrorRule[]) => save.mutate({ version, rules: next })
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="grid max-w-[880px] gap-5 p-4">
        <p className="text-ink-2">
          The first rule that fits an exception decides; the others are grouped by their stack. Rules hold for what
          comes from now on. Browsers do not even send what the first rules ignore by type and message.
        </p>
        {rules.length > 0 && (
          <ol aria-label="Rules" className="border-line border-t">
            {rules.map((rule, index) => (
              <li key={rule.id} className="flex min-h-10 items-center gap-3 border-line border-b py-1.5">
                <Badge tone={rule.action === 'ignore' ? 'quiet' : 'info'}>{rule.action}</Badge>
                <span className="font-medium">{rule.name}</span>
                <span className="min-w-0 flex-1 truncate text-ink-2">{rule.conditions.map(textOf).join(' and ')}</span>
                <Button
                  look="bare"
                  size="icon"
                  aria-label={`Move ${rule.name} up`}
                  disabled={index === 0 || save.isPending}
                  onClick={() => replace(movedUp(rules, index))}
                >
                  <ArrowUp aria-hidden="true" className="size-3.5" />
                </Button>
                <Button
                  look="bare"
                  size="icon"
                  aria-label={`Delete ${rule.name}`}
                  disabled={save.isPending}
                  onClick={() => replace(rules.filter((each) => each !== rule))}
                >
                  <Trash2 aria-hidden="true" className="size-3.5" />
                </Button>
              </li>
            ))}
          </ol>
        )}
        <RuleForm
          isSaving={save.isPending}
          onAdd={(rule, onAdded) => save.mutate({ version, rules: [...rules, rule] }, { onSuccess: onAdded })}
        />
        {save.error && (
          <p role="alert" className="text-danger">
            {errorText(save.error)}
          </p>
        )}
      </div>
    </div>
  )
}

const textOf = ({ field, operator, value }: Condition): string => `${field} ${operator} “${value}”`

const movedUp = (rules: readonly ErrorRule[], index: number): readonly ErrorRule[] => {
  const rule = rules[index]
  const before = rules[index - 1]
  if (rule === undefined || before === undefined) return rules
  return [...rules.slice(0, index - 1), rule, before, ...rules.slice(index + 1)]
}

const fields = (['type', 'message', 'file'] as const).map((value) => ({ value, label: value }))
const operators = (['is', 'contains'] as const).map((value) => ({ value, label: value }))
const actions = [
  { value: 'group', label: 'Group together' },
  { value: 'ignore', label: 'Ignore' },
] as const

const firstCondition: Condition = { field: 'type', operator: 'is', value: '' }

interface RuleFormProps {
  readonly isSaving: boolean
  readonly onAdd: (rule: ErrorRule, onAdded: () => void) => void
}

function RuleForm({ isSaving, onAdd }: RuleFormProps) {
  const [name, setName] = useState('')
  const [action, setAction] = useState<ErrorRule['action']>('group')
  const [condition, setCondition] = useState(firstCondition)
  const isWhole = name.trim() !== '' && condition.value !== ''
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (!isWhole) return
    onAdd({ name: name.trim(), action, conditions: [condition] }, () => {
      setName('')
      setCondition(firstCondition)
    })
  }
  return (
    <form onSubmit={add} aria-label="Another rule" className="grid gap-3">
      <div className="flex flex-wrap items-end gap-2">
        <Select label="What it does" value={action} options={actions} onChange={setAction} className="h-8" />
        <Field
          label="Name"
          value={name}
          maxLength={200}
          className="min-w-52 flex-1"
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      <div className="flex flex-wrap items-end gap-2">
        <Select
          label="What it looks at"
          value={condition.field}
          options={fields}
          className="h-8"
          onChange={(field) => setCondition({ ...condition, field })}
        />
        <Select
          label="How it compares"
          value={condition.operator}
          options={operators}
          className="h-8"
          onChange={(operator) => setCondition({ ...condition, operator })}
        />
        <Field
          label="Text"
          value={condition.value}
          maxLength={500}
          className="min-w-52 flex-1"
          onChange={(event) => setCondition({ ...condition, value: event.target.value })}
        />
        <Button type="submit" disabled={!isWhole || isSaving} className="h-8">
          Add the rule
        </Button>
      </div>
    </form>
  )
}
